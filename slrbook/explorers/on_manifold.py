"""The lines of slrlib that run descent on M from one start: *as Python* of two explorers."""

RUN_ON_M = """\
import jax
jax.config.update("jax_enable_x64", True)
from slrlib import Overlaps, Task
from slrlib.dynamics import constant, pgd
from slrlib.landscape.states import MANIFOLD_STATES, manifold_state
from slrlib.risk import manifold_excess_risk

task, lam, alpha, steps = Task(d=400, L=10), {lam}, {alpha}, {steps}
start = Overlaps(kappa={kappa0}, nu={nu0}, theta=0.0, eta=0.0, rho=0.0)
run = pgd(start, task, constant(lam), alpha, steps, steps)
kappa, nu = run.overlaps.kappa[-1], run.overlaps.nu[-1]
excess_risk = manifold_excess_risk(kappa, nu, lam, task)
print(MANIFOLD_STATES[int(manifold_state(kappa, nu))], kappa, nu, excess_risk)
"""
