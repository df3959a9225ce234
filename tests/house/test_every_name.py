"""Every public name of slrlib is held to something over its whole domain; and arguments in order.

``SEARCH`` says where, and to what: ``oracle`` another computation, ``precision`` single against
double, ``invariant`` what must hold for any argument, ``law`` draws in law, ``refused`` a sentence.
"""

import ast
import importlib
import inspect
from pathlib import Path

import jax
import pytest

import slrlib
from slrbook.house import public_names

TESTS = Path(__file__).parents[1]
POINTS = set(
    "o frame k v K V X s point gram kappa nu phi psi low high beta threshold t x activation "
    "predict states mask score pair probe layer register state run".split()
)
FREE = {"teacher", "teachers"}  # beside the point that it belongs to, or behind the task
OTHERWISE = {"overlaps.random_overlaps"}  # the key first, as in jax.random

# What has no domain to be searched: classes and values.
NO_FUNCTIONS = {
    "Overlaps": "five numbers of any kind: what needs those of unit vectors checks them",
    "overlaps.Overlaps": "the same",
    "overlaps.Frame": "a point: what takes one checks its shapes",
    "overlaps.ORACLE": "a value",
    "risk.RiskTerms": "what risk_terms gives",
    "landscape.BASINS": "a value",
    "experiments.PAPER": "a table of experiments",
    "experiments.ALL": "a table of experiments",
    "experiments.is_live": "takes no argument",
}

WHOLE, ARRAYS, RUNS = (
    f"house/test_{x}.py" for x in ("whole_domain", "domain_of_arrays", "domain_of_runs")
)
SEARCH = {
    (WHOLE, "test_functions_of_lam_and_the_task", "precision"): """
        risk.oracle_excess_risk risk.linear_attention_excess_risk landscape.saddle_rates
        landscape.certified_step landscape.swap_probability landscape.minimiser_hessian
        landscape.swapped_overlaps""",
    (WHOLE, "test_functions_of_the_task", "precision"): """
        risk.best_linear_attention risk.null_excess_risk risk.argmax_excess_risk
        landscape.explicit_lam landscape.lambda_c""",
    (WHOLE, "test_gaussian_means", "precision"): """
        special.mean_erf special.mean_erf_erf_prime special.mean_erf_erf_second
        special.mean_erf_prime special.mean_erf_prime_squared special.mean_erf_second
        special.mean_erfc_squared special.one_minus_zeta special.zeta""",
    (WHOLE, "test_erf_of_one_number", "oracle"): """
        special.erf_prime special.erf_second special.zeta_zero""",
    (WHOLE, "test_the_risk_and_its_gradient", "precision"): """
        risk.excess_risk risk.risk_terms risk.excess_risk_gradient""",
    (WHOLE, "test_on_the_manifold_and_across_it", "precision"): """
        risk.manifold_excess_risk landscape.manifold_hessian""",
    (WHOLE, "test_the_swapped_pair_where_all_digits_cancel", "oracle"): """
        landscape.swapped_excess_risk""",
    (WHOLE, "test_bounds_steps_and_reference_risks", "precision"): """
        landscape.local_slopes landscape.mirror_step_size landscape.edge_of_stability
        landscape.swapped_lower_until landscape.threshold_margins landscape.best_excess_bounds
        landscape.arrival_bound landscape.schedule_arrival_bound landscape.plateau_bounds
        landscape.swapped_curvature_at_infinity dynamics.manifold_step risk.threshold_excess_risk
        risk.bayes_log_ceiling risk.bayes_log_gap risk.erf_floor risk.swapped_ceiling
        heads.oracle_excess_risk""",
    (WHOLE, "test_the_best_lam_over_the_whole_domain", "oracle"): "landscape.best_lam",
    (WHOLE, "test_softmax_up_to_its_steepest", "oracle"): "risk.exact_softmax_excess_risk",
    (WHOLE, "test_lengths_alone", "invariant"): "risk.norm_only_hit_rate",
    (WHOLE, "test_sizes_beyond_all_use_are_refused", "refused"): "Task task.Task",
    (ARRAYS, "test_points_and_steps_on_the_sphere", "invariant"): """
        sphere.project sphere.retract sphere.tangent""",
    (ARRAYS, "test_uniform_points_and_teachers", "law"): """
        sphere.uniform task.random_teacher Teacher task.Teacher""",
    (ARRAYS, "test_random_overlaps_are_possible_and_have_their_law", "law"): """
        overlaps.random_overlaps overlaps.distance_to_manifold""",
    (ARRAYS, "test_overlaps_frames_and_vectors_lead_to_one_another", "invariant"): """
        overlaps.to_frame overlaps.vectors_of overlaps.overlaps_of""",
    (ARRAYS, "test_what_is_feasible_is_what_the_gram_matrix_says", "oracle"): """
        overlaps.is_feasible""",
    (ARRAYS, "test_samples", "law"): "task.sample heads.sample risk.monte_carlo_risk",
    (ARRAYS, "test_weights_and_attention", "oracle"): """
        predictors.argmax_weights predictors.erf_weights predictors.linear_weights
        predictors.softmax_weights predictors.argmax_attention predictors.erf_attention
        predictors.linear_attention predictors.softmax_attention""",
    (ARRAYS, "test_the_exact_posterior", "oracle"): "predictors.bayes predictors.bayes_weights",
    (ARRAYS, "test_the_best_linear_predictor_has_the_least_risk", "oracle"): """
        predictors.best_linear predictors.linear risk.linear_excess_risk
        risk.linear_rule_excess_risk""",
    (ARRAYS, "test_fitted_predictors", "invariant"): """
        predictors.least_squares predictors.lasso predictors.group_lasso""",
    (ARRAYS, "test_one_head_over_cls_is_softmax_attention", "oracle"): """
        predictors.matrices_of predictors.cls_weights predictors.cls_attention""",
    (ARRAYS, "test_vectors_of_any_length_and_one_head_or_two", "oracle"): """
        risk.excess_risk_of heads.excess_risk""",
    (ARRAYS, "test_any_activation_is_erf_or_the_identity", "oracle"): """
        risk.activation_excess_risk""",
    (ARRAYS, "test_the_risk_of_bayes_by_draws", "oracle"): "risk.bayes_excess_risk",
    (RUNS, "test_a_step_on_the_manifold_and_back", "invariant"): "dynamics.inverse_manifold_step",
    (RUNS, "test_steps_and_runs_at_the_corners", "invariant"): "dynamics.pgd_step dynamics.pgd",
    (RUNS, "test_schedules_from_their_first_step_to_their_last", "oracle"): """
        dynamics.constant dynamics.inverse_decay dynamics.held""",
    (RUNS, "test_a_run_in_parts_and_one_that_single_precision_cannot_hold", "invariant"): """
        dynamics.start dynamics.advance""",
    (RUNS, "test_sgd_at_the_corners", "invariant"): "dynamics.sgd",
    (RUNS, "test_thresholds_are_where_signs_change", "oracle"): """
        landscape.lambda_c_exact landscape.lambda_sw landscape.lambda_clip landscape.lambda_eq""",
    (RUNS, "test_the_best_lam_of_several_heads", "oracle"): "heads.best_lam",
    (RUNS, "test_basins", "invariant"): "landscape.basin landscape.basins_of",
    (RUNS, "test_the_dividing_line", "invariant"): "landscape.dividing_nu",
    (RUNS, "test_the_tilted_minimum_is_refused_where_there_is_none", "refused"): """
        landscape.tilted_overlaps""",
    (RUNS, "test_layers", "oracle"): """
        transformer.random_layer transformer.random_register transformer.predict
        transformer.predict_register transformer.score_direction""",
    (RUNS, "test_training_at_a_corner", "invariant"): """
        transformer.start_training transformer.advance_training transformer.sharpness""",
    (RUNS, "test_the_floor_of_layers_that_normalise", "invariant"): "transformer.risk_floor",
    (RUNS, "test_what_does_not_fit_into_memory_says_so", "refused"): "experiments.sweep",
    ("heads/test_heads_minima.py", "test_minima_at_the_ends_of_the_domain", "invariant"): """
        heads.minima heads.minima_below""",
    ("house/test_domain_of_words.py", "test_experiments_of_one_step_or_none", "invariant"): """
        experiments.Descent experiments.run experiments.load
        experiments.measured""",
    ("house/test_domain_of_words.py", "test_sentences", "invariant"): """
        language.sentence_sets language.subset language.hide language.marked""",
    ("house/test_domain_of_words.py", "test_probes_and_pairs_of_any_size", "invariant"): """
        language.fit_probe language.decide language.score language.fit_pair language.project
        language.pair_predict language.hit_rates language.end_of
        language.fit_pair_label_only""",
    ("house/test_domain_of_words.py", "test_the_weight_of_each_token", "oracle"): "language.attend",
    ("house/test_domain_of_words.py", "test_a_folder_that_is_no_model", "refused"): "language.load",
}


def test_every_public_name_is_searched_or_has_a_reason():
    named = [name for names in SEARCH.values() for name in names.split()]
    assert len(named) == len(set(named)) and not set(named) & set(NO_FUNCTIONS)
    assert set(named) | set(NO_FUNCTIONS) == public_names()


@pytest.mark.parametrize("file", sorted({file for file, _, _ in SEARCH}))
def test_the_tests_that_search_are_there_and_name_what_they_search(file):
    source = (TESTS / file).read_text("utf-8")
    tests = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    for (where, test, _), names in SEARCH.items():
        if where == file:
            assert test in tests
            if test == "test_gaussian_means":  # all names of slrlib.special but the next test's
                continue
            missing = [name for name in names.split() if name.split(".")[-1] not in source]
            made_up = {"argmax", "erf", "linear", "softmax"}  # f"{name}_weights"
            assert all(name.split(".")[-1].split("_")[0] in made_up for name in missing), missing


def thing(name: str):
    place, _, last = name.rpartition(".")
    module = importlib.import_module(f"{slrlib.__name__}.{place}") if place else slrlib
    return getattr(module, last)


def rank(name: str) -> int:
    return 0 if name in POINTS else {"lam": 1, "lam0": 1, "decay": 1, "task": 2}.get(name, 3)


FUNCTIONS = sorted(name for name in public_names() if inspect.isfunction(thing(name)))


def test_arguments_stand_in_one_order():
    """Point, lam, task, then the rest; teachers where they belong; keys by name alone."""
    assert len(FUNCTIONS) > 120
    for name in set(FUNCTIONS) - OTHERWISE:
        parameters = inspect.signature(thing(name)).parameters.values()
        here = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        ranks = [rank(argument) for argument in here if argument not in FREE]
        if {"lam", "task"} & set(here):
            behind = ranks[: ranks.index(2) + 1] if 2 in ranks else ranks
            assert behind == sorted(behind), f"{name}({', '.join(here)})"
        keys = [p for p in parameters if p.name == "key" and p.annotation is jax.Array]
        assert all(p.kind is p.KEYWORD_ONLY for p in keys), name


def test_the_best_lam_and_its_risk_have_names():
    for name in ("landscape.best_lam", "heads.best_lam", "risk.best_linear_attention"):
        assert inspect.signature(thing(name)).return_annotation._fields == ("lam", "excess_risk")
