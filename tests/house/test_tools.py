"""One smoke test for each script in tools/."""

import isa_check


def test_the_largest_difference_between_two_runs_is_found():
    one = {"a": "1.0", "b": "2e-16", "c": "'text'", "d": "5.0"}
    assert isa_check.largest_difference(one, {**one, "b": "9e-16"}) == (0.0, "")
    assert isa_check.largest_difference(one, {**one, "d": "4.0"}) == (0.2, "d")
    assert isa_check.largest_difference(one, {"a": "1.0"})[0] == float("inf")
