"""The runs of a batch in equal parts on all devices: no number of one run depends on another."""

from dataclasses import replace

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from slrlib import _door

RUNS = "runs"  # the name of the axis of devices
ALL, EACH = PartitionSpec(), PartitionSpec(None, RUNS)


def spread(run):
    """The runs in equal parts on all devices, if there are several and the parts come out even."""
    devices, lanes = jax.devices(), run.pair[0]
    if len(devices) == 1 or _door.is_traced(lanes):
        return run
    if lanes.ndim != 1 or len(lanes) % len(devices):
        return run
    mesh = Mesh(np.array(devices), (RUNS,))
    same = jax.device_put(run, NamedSharding(mesh, ALL))
    return replace(same, pair=jax.device_put(run.pair, NamedSharding(mesh, PartitionSpec(RUNS))))


def _mesh_of(run):
    """The devices among which ``run`` is spread, or None."""
    sharding = getattr(run.pair[0], "sharding", None)
    spread = isinstance(sharding, NamedSharding) and sharding.spec == PartitionSpec(RUNS)
    return sharding.mesh if spread else None


def _apart(rows, run, mesh, kept):
    """``rows(run, seat)`` on each device for its own part, so that none ever waits for another.

    ``seat`` is the number of the first of these runs, and how many there are in all; ``kept`` says
    which rows hold one number for each run, by ``EACH``, or one for all, by ``ALL``.
    """
    parts = replace(jax.tree.map(lambda _: ALL, run), pair=PartitionSpec(RUNS))

    def part(run):
        size = len(run.pair[0])
        return rows(run, (jax.lax.axis_index(RUNS) * size, size * mesh.size))

    out = parts, kept
    return jax.shard_map(part, mesh=mesh, in_specs=(parts,), out_specs=out, check_vma=False)(run)
