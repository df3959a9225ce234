"""Claims on points: the five fixed points on M, two risks, the tilted minimum, and a mean."""

from dataclasses import dataclass

from flint import arb, arb_series, ctx

from slrbook.certificates.closed import free_theta, mean_slope
from slrbook.certificates.cover import hull, sign
from slrbook.certificates.letters import Setting, letters
from slrbook.certificates.risk import along, excess_risk

BITS = 128
