"""Validation at the door: one plain sentence for a bad argument, nothing at all for a traced one.

Each function returns its argument made floating: a Python float for a scalar, a JAX array for an
array, the tracer itself inside ``jit``, ``vmap`` and ``grad``. All are declared as ``jax.Array``,
whose arithmetic they share. ``compiled`` puts doors before a function: the rest is one program.
"""

from slrlib.checks.arrays import (
    broadcasts as broadcasts,
)
from slrlib.checks.arrays import (
    ends_in as ends_in,
)
from slrlib.checks.arrays import (
    random_key as random_key,
)
from slrlib.checks.arrays import (
    shape as shape,
)
from slrlib.checks.arrays import (
    task as task,
)
from slrlib.checks.arrays import (
    teacher as teacher,
)
from slrlib.checks.arrays import (
    unit as unit,
)
from slrlib.checks.doors import (
    compiled as compiled,
)
from slrlib.checks.doors import (
    in_double as in_double,
)
from slrlib.checks.numbers import (
    HUGE as HUGE,
)
from slrlib.checks.numbers import (
    LARGE as LARGE,
)
from slrlib.checks.numbers import (
    count as count,
)
from slrlib.checks.numbers import (
    finite as finite,
)
from slrlib.checks.numbers import (
    flag as flag,
)
from slrlib.checks.numbers import (
    floating as floating,
)
from slrlib.checks.numbers import (
    is_traced as is_traced,
)
from slrlib.checks.numbers import (
    nonnegative as nonnegative,
)
from slrlib.checks.numbers import (
    one as one,
)
from slrlib.checks.numbers import (
    positive as positive,
)
from slrlib.checks.numbers import (
    shown as shown,
)
from slrlib.checks.numbers import (
    spaced as spaced,
)
from slrlib.checks.numbers import (
    whole as whole,
)
