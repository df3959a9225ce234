"""The pictures of the chapter on the task: lengths of tokens, and tokens in the plane (k*, v*)."""

import numpy as np

from slrbook.picture.picture import picture
from slrbook.picture.style import beside


@picture(600, 330)
def norms(axes, colors, others, informative):
    """Draw two histograms of |X_l|^2 / d, one for each kind of token."""
    others, informative = np.asarray(others), np.asarray(informative)
    edges = np.linspace(min(others.min(), informative.min()), others.max(), 49)
    drawn = {"bins": edges, "density": True}
    high, _, _ = axes.hist(others, **drawn, color=colors.other, alpha=0.35)
    drawn |= {"histtype": "step", "linewidth": 2.5}
    tall, _, _ = axes.hist(informative, **drawn, color=colors.informative)
    axes.set_ylim(0, 1.1 * tall.max())
    right = edges[0] + 0.66 * (edges[-1] - edges[0])
    place = {"shift": (0, 0), "va": "center"}
    beside(axes, colors, right, 0.92 * tall.max(), "informative", colors.informative, **place)
    beside(axes, colors, right, 0.55 * high.max(), "the others", colors.other, **place)
    axes.set(xlabel=r"$|X_\ell|^2 / d$, squared length per dimension", yticks=[])
    axes.spines["left"].set_visible(False)


@picture(600, 330)
def norm_rate(axes, colors, gamma, rate, chance, paper):
    """Draw the success rate of length alone against gamma; ``paper`` is the paper's gamma."""
    axes.axhline(chance, color=colors.other, linewidth=1.5)
    axes.axvline(paper, color=colors.other, linewidth=1.5, linestyle="dashed")
    axes.plot(gamma, rate, color=colors.text)
    axes.text(np.max(gamma), chance + 0.02, "chance", color=colors.other, ha="right", va="bottom")
    axes.text(paper + 0.01, 0.97, r"$\gamma^2 = 1/2$", color=colors.other, va="top")
    axes.set(ylim=(0, 1.02), yticks=[0, 0.25, 0.5, 0.75, 1])
    axes.set(xlabel=r"$\gamma$, spread of the informative token", ylabel="success rate")


@picture(600, 300)
def token_plane(axes, colors, others, informative, mean):
    """Draw tokens as points (X.k*, X.v*), of shape (n, 2); informative ones have a green ring."""
    others, informative = np.asarray(others), np.asarray(informative)
    axes.plot(*others.T, ".", color=colors.other, markersize=4, alpha=0.7)
    ring = {"markeredgecolor": colors.informative, "markeredgewidth": 1.8}
    axes.plot(*informative.T, "o", markerfacecolor="none", markersize=8, **ring)
    axes.plot(*informative.T, ".", color=colors.informative, markersize=3)
    axes.plot(mean, 0, "+", color=colors.text, markersize=14, markeredgewidth=2)
    low, place = 1.28 * others[:, 1].min(), ((0, 0), "center", "top")
    beside(axes, colors, 0, low, "the others", colors.other, *place)
    beside(axes, colors, mean, low, "informative", colors.informative, *place)
    axes.set_xticks(np.arange(0, 1.1 * informative[:, 0].max(), 5))
    axes.set_ylim(1.62 * others[:, 1].min(), None)
    axes.set_xlabel(r"$X_\ell\cdot k^\star$, where to look", color=colors.k)
    axes.set_ylabel(r"$X_\ell\cdot v^\star$, what to read", color=colors.v)


@picture(600, 340)
def alignments(axes, colors, steps, kappa, nu):
    """Draw |kappa| and |nu| along a descent; arrays are (time, 3): lower end, median, upper end."""
    for rows, color in ((kappa, colors.k), (nu, colors.v)):
        low, middle, high = np.asarray(rows).T
        axes.fill_between(steps, low, high, color=color, alpha=0.22, linewidth=0)
        axes.plot(steps, middle, color=color)
    at = steps[int(np.argmax(np.asarray(nu)[:, 2] > 0.8))] / 1.15, 0.8
    beside(axes, colors, *at, r"$|\nu|$, what to read", colors.v, (0, 0), "right", "center")
    at = steps[int(np.argmax(np.asarray(kappa)[:, 0] > 0.4))] * 1.3, 0.4
    beside(axes, colors, *at, r"$|\kappa|$, where to look", colors.k, (0, 0), va="center")
    axes.set(xscale="log", xlim=(steps[0], steps[-1]), ylim=(-0.02, 1.04))
    axes.set(xlabel="step of gradient descent", ylabel="alignment")
