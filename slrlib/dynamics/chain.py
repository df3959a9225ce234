"""SGD as a Markov chain of five numbers: random numbers, single steps and blocks of steps.

The random numbers come from the counter-based generator of ``jax.random`` (Threefry-2x32), which is
reimplemented here so that XLA fuses it with the surrounding arithmetic. With calls of
``jax.random`` in each step, normals take 1.7 and chi-squares 9 to 17 times as long on two cores,
and a whole step of SGD 2 to 2.8 times.

Let ``side`` be the direction of v without its part along k. A noise token has two standard normal
coordinates, s along k and h along ``side``. So X k = s and X v = rho s + sqrt(1 - rho^2) h, and a
step needs only eleven sums over the noise tokens of a sample, of products of s, h, e = erf(lam s)
and f = lam erf'(lam s). The sums do not depend on k and v, so they can be computed for many steps
in advance.

The normal numbers are float32, and so are erf, its derivative and the sums. Relative to the spread
of one sample, their rounding error is 1e-7.

A step depends on a token only through X k, X v and the two sums of its gradients, with weights
omega and mu that depend only on X k and X v. The noise tokens therefore add, in every direction
orthogonal to k and v, a Gaussian pair with the same 2x2 covariance. Two such directions lie in the
frame. Of the d - 4 directions outside the frame, only the Gram matrix matters; it is sampled as a
Wishart matrix by Bartlett's decomposition. The mean of the informative token lies in the frame, so
its four coordinates there are sampled individually.

Normal and uniform numbers are sampled in float32, and the sums over the noise tokens, which are
functions of such numbers only, are float32 too. Everything else has the precision of the frame.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from slrlib import checks
from slrlib.dynamics.schedules import lam_at
from slrlib.dynamics.steps import Pair, against, framed, inner
from slrlib.overlaps import safe_ratio
from slrlib.special import erf, erf_prime
from slrlib.task import Task

Words = tuple[jax.Array, jax.Array]  # two arrays of 32-bit random words

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def key_words(key: jax.Array) -> jax.Array:
    """Return two words that identify a random key of any kind."""
    return jax.random.bits(checks.random_key(key), (2,), jnp.uint32)


def threefry(key: jax.Array | Words, x: jax.Array, y: jax.Array) -> Words:
    """Return two words of 32 random bits for each pair of counters (x, y), after 20 rounds."""
    keys = key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA
    x, y = x + keys[0], y + keys[1]
    for block in range(5):
        for turn in ROTATIONS[block % 2]:
            x = x + y
            y = x ^ ((y << turn) | (y >> (32 - turn)))
        x = x + keys[(block + 1) % 3]
        y = y + keys[(block + 2) % 3] + (block + 1)
    return x, y


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Stream:
    """The random numbers of consecutive runs, beginning with run ``first`` of ``runs`` runs.

    The numbers of a run do not depend on which other runs are computed with it.
    """

    key: jax.Array  # two words
    first: ArrayLike
    runs: ArrayLike


def random_words(
    stream: Stream, step: ArrayLike, first: ArrayLike, shape: tuple[int, ...]
) -> Words:
    """Return two flat arrays of random words, with one entry for each entry of ``shape``.

    The counters are those of the rows ``first``, ``first`` + 1, ... A row holds one entry for each
    run of the batch, ``shape[1:]``. The arrays are flat because loops over flat arrays are faster.
    """
    numbers = first, step, stream.first, stream.runs
    first, step, begin, runs = (jnp.asarray(x).astype(jnp.uint32) for x in numbers)
    rows = first + jnp.arange(shape[0], dtype=jnp.uint32)[:, None]
    own = begin + jnp.arange(math.prod(shape[1:]), dtype=jnp.uint32)[None, :]
    counter = (rows * runs + own).ravel()
    return threefry(stream.key, counter, jnp.broadcast_to(step, counter.shape))


def _uniform(word):
    """Return a float32 number in (0, 1] made from 24 random bits."""
    return ((word >> 8).astype(jnp.int32).astype(jnp.float32) + 0.5) * 2.0**-24


def _polynomial(f, degree):
    """Return the coefficients, highest first, of a polynomial equal to f on [0, 1/4] up to 1e-8."""
    fitted = np.polynomial.Chebyshev.interpolate(f, degree, domain=[0.0, 0.25])
    return [float(c) for c in fitted.convert(kind=np.polynomial.Polynomial).coef[::-1]]


# sin(2 pi y) / y and cos(2 pi y) as functions of y^2, for |y| <= 1/2. The library's sine and cosine
# accept any angle and take ten times as long as these two polynomials.
_SINE = _polynomial(lambda z: 2 * np.pi * np.sinc(2 * np.sqrt(z)), 6)
_COSINE = _polynomial(lambda z: np.cos(2 * np.pi * np.sqrt(z)), 7)


def normals_from(x: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Make two float32 arrays of independent standard normal numbers by the Box-Muller method."""
    radius = jnp.sqrt(-2.0 * jnp.log(_uniform(x)))
    turn = _uniform(y) - 0.5
    square = turn * turn
    sine, cosine = (functools.reduce(lambda sum, c: sum * square + c, p) for p in (_SINE, _COSINE))
    return radius * cosine, radius * turn * sine


def chi_squares(stream: Stream, step: ArrayLike, first: int, freedom: jax.Array) -> jax.Array:
    """Sample two independent chi-squares for each run, of shape (2, *batch) like ``freedom``.

    The method is Marsaglia and Tsang's exact rejection sampling of a gamma variable of shape a:
    with a normal x and a uniform u, accept a3 (1 + x / (3 sqrt(a3)))^3, a3 = a - 1/3, if u is small
    enough. The first attempt is almost always accepted. For a < 1, a gamma variable of shape a + 1
    is multiplied by u^(1/a). Attempt i uses the rows ``first`` + 2 i - 1 and ``first`` + 2 i.
    """
    dtype, batch = freedom.dtype, freedom.shape[1:]
    shape = freedom / 2.0
    low = shape < 1.0
    third = jnp.where(low, shape + 1.0, shape) - 1.0 / 3.0
    slope = jax.lax.rsqrt(9.0 * third)

    def uniform(row):
        words = random_words(stream, step, row, (1, *batch))
        return _uniform(jnp.concatenate(words)).reshape(2, *batch)

    def attempt(state):
        i, drawn, accepted = state
        row = first + 2 * i - 1
        x = jnp.concatenate(normals_from(*random_words(stream, step, row, (1, *batch))))
        x = x.astype(dtype).reshape(2, *batch)
        cube = (1.0 + slope * x) ** 3
        good = cube > 0
        room = 0.5 * x * x + third * (1.0 - cube + jnp.log(jnp.where(good, cube, 1.0)))
        good &= jnp.log(uniform(row + 1)).astype(dtype) < room
        return i + 1, jnp.where(accepted, drawn, third * cube), accepted | good

    start = jnp.ones((), jnp.uint32), jnp.zeros_like(third), jnp.zeros(third.shape, bool)
    drawn = jax.lax.while_loop(lambda state: ~jnp.all(state[2]), attempt, start)[1]
    boost = uniform(first).astype(dtype) ** (1.0 / jnp.where(low, shape, 1.0))
    return 2.0 * drawn * jnp.where(low, boost, 1.0)


SPARE = 10  # normal numbers that a step needs in addition to those of its tokens


def summed(s: jax.Array, h: jax.Array, lam: jax.Array) -> jax.Array:
    """Compute the eleven sums over the noise tokens at ``lam``, of shape (11, B, *batch).

    They have the precision of ``s`` and ``h``. The first five are factors of the gradients, the
    others of the covariance of the gradients.
    """
    shape, lam = s.shape, lam.astype(s.dtype)
    if lam.ndim:  # one for each run
        lam = jnp.broadcast_to(lam, shape[1:]).ravel()
    s, h = (x.reshape(len(x), math.prod(shape[1:])) for x in (s, h))
    e, f = erf(lam * s), lam * erf_prime(lam * s)
    fs, fh = f * s, f * h
    pairs = (e, s), (e, h), (fs, s), (fs, h), (fh, h)
    pairs += (e, e), (e, fs), (e, fh), (fs, fs), (fs, fh), (fh, fh)
    return jnp.stack([jnp.sum(x * y, axis=0).reshape(shape[1:]) for x, y in pairs])


def _root(s11, s12, s22):
    """Return the entries C11, C21, C22 of the lower triangular C with C C^T = S."""
    c11 = jnp.sqrt(s11)
    c21 = safe_ratio(s12, c11)
    return c11, c21, jnp.sqrt(jnp.maximum(s22 - c21 * c21, 0.0))


def moved(
    p: Pair, drawn: tuple, sums: jax.Array, lam: jax.Array, task: Task, alpha: jax.Array
) -> Pair:
    """Take one step, given its random numbers and the sums over its noise tokens.

    ``drawn`` holds the other random numbers: normal numbers of the informative token in the frame
    and of the label, of shape (5, B, *batch), spare ones (SPARE, *batch), and the square roots of
    two chi-squares (2, *batch).

    Vectors and sums over the batch are stacked because XLA compiles a separate loop for each array,
    and for few runs a step spends most of its time starting these loops.
    """
    own, spare, chi = (x.astype(p.kappa.dtype) for x in drawn)
    sums = sums.astype(p.kappa.dtype)
    zero, batch = jnp.zeros_like(p.kappa), own.shape[1]
    k, v = jnp.stack([p.kappa, p.eta, p.a, zero]), jnp.stack([p.theta, p.nu, p.b, p.c])
    rho = inner(k, v)
    rest = v - rho[None] * k
    length = jnp.sqrt(inner(rest, rest))  # v = rho k + length side
    side = safe_ratio(rest, length[None])

    # The informative token: its coordinates, its products with k and v, and the sample's error.
    here = (task.gamma * own[:4]).at[0].add(task.signal)
    s, t = (inner(here, x[:, None]) for x in (k, v))
    e, f = erf(lam * s), lam * erf_prime(lam * s)
    error = rho[None] * sums[0] + length[None] * sums[1] + e * t - (here[1] + task.noise * own[4])
    weight = 2.0 / batch * error
    omega, mu = weight * f * t, weight * e  # of the token in the gradients in k and v
    es, eh, fss, fsh, fhh = jnp.sum(weight[None] * sums[:5], axis=1)
    ee, efs, efh, ffss, ffsh, ffhh = jnp.sum(weight[None] ** 2 * sums[5:], axis=1)
    own_part = jnp.sum(jnp.stack([omega * omega, omega * mu, mu * mu]), axis=1)
    k_part, v_part = (jnp.sum(x[None] * here, axis=1) for x in (omega, mu))

    # Covariance in a direction orthogonal to k and v: of the noise tokens, and of all tokens.
    of_k = inner((rho**2, 2 * rho * length, length**2), (ffss, ffsh, ffhh))
    noise = of_k, rho * efs + length * efh, ee
    whole = [x + task.gamma**2 * y for x, y in zip(noise, own_part, strict=True)]

    # In the frame: two free directions, k and side, and the informative token.
    c11, c21, c22 = _root(*noise)
    k_free = c11[None] * spare[:4]
    v_free = c21[None] * spare[:4] + c22[None] * spare[4:8]
    k_sums = rho * fss + length * fsh, rho * fsh + length * fhh
    k_slope, v_slope = (
        part + free + (along - inner(free, k))[None] * k + (across - inner(free, side))[None] * side
        for part, free, (along, across) in ((k_part, k_free, k_sums), (v_part, v_free, (es, eh)))
    )
    # Outside: a Gram matrix with d - 4 degrees of freedom, represented by two vectors in a plane.
    c11, c21, c22 = _root(*whole)
    k_slope = [*k_slope, c11 * chi[0], zero]
    v_slope = [*v_slope, c21 * chi[0] + c22 * spare[8], c22 * chi[1]]
    k, v = [*k, zero, zero], [*v, zero, zero]
    return framed(against(k, k_slope, alpha), against(v, v_slope, alpha))


def tokens_of(task: Task) -> int:
    """Return the number of tokens; raise an error if d is too small for the chain."""
    checks.whole("task.d", checks.task(task).d, at_least=6)
    return checks.count("task.L", task.L)


AHEAD = 2**18  # limit of the numbers that SGD samples in advance, so that memory stays small


def sampled(run: Any, every: ArrayLike) -> Any:
    """Advance a run by ``every`` steps of SGD.

    The random numbers of a block of steps, and the sums over them, are computed first, in separate
    loops. Otherwise XLA would repeat that work wherever its result is used.
    """
    end = run.step + every
    like, batch = run.pair.kappa, run.batch
    # Pairs of words of a step: noise tokens, informative tokens, spare numbers.
    shape = batch * (run.tokens - 1) + 3 * batch + SPARE // 2, *like.shape
    length = min(32, max(2, AHEAD // max(1, 2 * math.prod(shape))))
    others = batch * (run.tokens - 1) * like.size

    def block(state):
        begin, pair = state
        steps = begin + jnp.arange(length)
        words = jax.lax.map(lambda t: random_words(run.stream, t, 0, shape), steps)
        normals = jax.lax.map(lambda x: normals_from(*x), words)

        def its_draws(x):
            normals, step = x
            rest = jnp.concatenate([x[others:] for x in normals])
            rest = rest.reshape(6 * batch + SPARE, *like.shape)
            freedom = jnp.broadcast_to(jnp.asarray(run.task.d, like.dtype), like.shape) - 4.0
            chi = chi_squares(run.stream, step, shape[0], jnp.stack([freedom, freedom - 1.0]))
            own = rest[: 5 * batch].reshape(5, batch, *like.shape)
            return own, rest[6 * batch :], jnp.sqrt(chi)

        def its_sums(x):
            normals, step = x
            # The coordinates of the noise tokens, each of shape (L - 1, B, *batch).
            s, h = (x[:others].reshape(run.tokens - 1, batch, *like.shape) for x in normals)
            return summed(s, h, lam_at(run.schedule, step, like))

        drawn, sums = (jax.lax.map(f, (normals, steps)) for f in (its_draws, its_sums))

        def step(i, pair):
            here, total = jax.tree.map(lambda x: x[i], (drawn, sums))
            lam = lam_at(run.schedule, steps[i], like)
            return moved(pair, here, total, lam, run.task, run.alpha)

        count = jnp.minimum(length, end - begin)
        return begin + count, jax.lax.fori_loop(0, count, step, pair)

    step, pair = jax.lax.while_loop(lambda state: state[0] < end, block, (run.step, run.pair))
    return replace(run, step=step, pair=pair)
