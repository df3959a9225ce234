"""The runs of a batch in equal parts on all devices: no number of one run depends on another."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec

from slrlib import checks

RUNS = "runs"  # the name of the axis of devices
ALL, EACH = PartitionSpec(), PartitionSpec(None, RUNS)


def spread(run: Any) -> Any:
    """The runs in equal parts on all devices, if there are several and the parts come out even."""
    devices, lanes = jax.devices(), run.pair[0]
    if len(devices) == 1 or checks.is_traced(lanes):
        return run
    if lanes.ndim != 1 or len(lanes) % len(devices):
        return run
    mesh = Mesh(np.array(devices), (RUNS,))
    same = jax.device_put(run, NamedSharding(mesh, ALL))
    return replace(same, pair=jax.device_put(run.pair, NamedSharding(mesh, PartitionSpec(RUNS))))


def mesh_of(run: Any) -> Mesh | AbstractMesh | None:
    """The devices among which ``run`` is spread, or None."""
    if checks.is_traced(run.pair[0]):
        return None
    sharding = getattr(run.pair[0], "sharding", None)
    if not isinstance(sharding, NamedSharding) or sharding.spec != PartitionSpec(RUNS):
        return None
    return sharding.mesh


def seat(size: int) -> tuple[jax.Array, int]:
    """The number of the first of the ``size`` runs on this device, and how many there are in all.

    For use within ``apart``.
    """
    return jax.lax.axis_index(RUNS) * size, size * jax.lax.axis_size(RUNS)


def apart(rows: Callable[[Any], Any], run: Any, mesh: Mesh | AbstractMesh, kept: Any) -> Any:
    """``rows(run)`` on each device for its own part, so that none ever waits for another.

    ``kept`` says which rows hold one number for each run, by ``EACH``, or one for all, by ``ALL``.
    """
    parts = replace(jax.tree.map(lambda _: ALL, run), pair=PartitionSpec(RUNS))
    out = parts, kept
    return jax.shard_map(rows, mesh=mesh, in_specs=(parts,), out_specs=out, check_vma=False)(run)
