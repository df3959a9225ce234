"""One smoke test for each script in tools/."""

import chapter_times
import isa_check
import metrics


def test_the_counts_are_printed(capsys):
    metrics.main()
    printed = capsys.readouterr().out
    assert "slrlib" in printed and "several_heads" in printed


def test_the_largest_difference_between_two_runs_is_found():
    one = {"a": "1.0", "b": "2e-16", "c": "'text'", "d": "5.0"}
    assert isa_check.largest_difference(one, {**one, "b": "9e-16"}) == (0.0, "")
    assert isa_check.largest_difference(one, {**one, "d": "4.0"}) == (0.2, "d")
    assert isa_check.largest_difference(one, {"a": "1.0"})[0] == float("inf")


def test_the_costs_are_summed():
    costs = {"task": {"wall": 1.0, "memory": 0.5}, "language": {"wall": 2.0, "memory": 0.25}}
    assert chapter_times.table(costs).splitlines()[-1].split() == "all 3.0 0.0 0 0.0 0.50".split()
