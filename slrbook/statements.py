"""The statements of the book and what each is tested against.

``text()`` is the list of our own statements, as MyST. ``slrbook.sphinx_ext.api`` puts it into the
page ``paper_map``, which has a table of the paper's own statements.
"""

import re
from pathlib import Path

from slrbook import chapters

ROOT = Path(__file__).parents[1]
MARK = "<!-- our statements -->"
STATEMENT = re.compile(
    r"^[:`]{3,}\{prf:(\w+)\} *(.*)\n(?:: *(?!label)\w+:.*\n)*:label: *(\S+)", re.M
)

#: The tests of each numbered item of the paper.
OF_THE_PAPER: dict[str, tuple[str, ...]] = {
    "Definition 1": (
        "tests/dynamics/test_dynamics_pgd.py::test_six_thousand_steps_are_those_of_the_vectors",
    ),
    "Assumption 1": ("tests/house/test_task.py::test_teachers_are_orthonormal_and_uniform",),
    "Theorem 1": (
        "tests/risk/test_risk.py::test_terms_and_sum_against_direct_simulation",
        "tests/risk/test_risk.py::test_near_the_oracle_no_digit_is_lost",
    ),
    "Corollary 2": ("tests/landscape/test_landscape.py::test_the_best_lam_approaches_lambert_s",),
    "Proposition 3": (
        "tests/predictors/test_predictors.py::test_the_best_linear_predictor_solves_the_normal_equations",
        "tests/predictors/test_fitted.py::test_the_risk_of_any_linear_predictor",
    ),
    "Lemma 4": ("tests/dynamics/test_dynamics_pgd.py::test_the_manifold_is_kept_to_the_last_bit",),
    "Theorem 5": (
        "tests/landscape/test_order.py::test_descent_keeps_the_order",
        "tests/experiments/test_experiments.py::test_figure_4b_in_full_ends_at_the_oracle_or_its_sign_pair",
    ),
    "Lemma 6": ("tests/risk/test_risk.py::test_on_the_manifold_the_two_forms_agree",),
    "Lemma 7": ("tests/dynamics/test_dynamics.py::test_the_step_is_that_of_the_vectors",),
    "Proposition 8": (
        "tests/dynamics/test_dynamics_pgd.py::test_the_risk_falls_below_a_certified_step",
    ),
    "Proposition 9": (
        "tests/dynamics/test_dynamics.py::test_no_other_point_stays_and_the_square_is_kept",
    ),
    "Proposition 10": ("tests/landscape/test_landscape.py::test_the_hessian_in_angles",),
    "Proposition 11": (
        "tests/dynamics/test_dynamics.py::test_no_other_point_stays_and_the_square_is_kept",
    ),
    "Proposition 12": (
        "tests/landscape/test_landscape.py::test_no_curvature_exceeds_the_certificate",
    ),
    "Proposition 13": (
        "tests/landscape/test_order.py::test_the_dividing_line_is_the_one_that_leads_back_from_the_saddle",
        "tests/landscape/test_landscape.py::test_the_saddle_is_left_along_its_negative_curvature",
    ),
    "Lemma 14": ("tests/risk/test_risk.py::test_no_slope_leaves_the_manifold",),
    "Proposition 15": ("tests/risk/test_risk.py::test_each_term_against_its_definition",),
    "Lemma 16": (
        "tests/pages/test_paper_map.py::test_the_recovered_bound_of_lemma_16_holds_and_is_sharp",
    ),
    "Lemma 17": ("tests/special/test_special.py::test_derivatives_of_erf",),
    "Lemma 18": ("tests/special/test_special.py::test_means_against_quadrature_of_the_definition",),
    "Figure 1(a)": ("tests/experiments/test_measured.py::test_one_word_flips_the_output",),
    "Figure 1(b)": ("tests/language/test_language_probes.py::test_the_probe_by_layer_in_short",),
    "Figure 2": (
        "tests/language/test_language_probes.py::test_tokens_of_unseen_words_fall_apart_in_the_plane",
    ),
    "Figure 3": (
        "tests/picture/test_plot_bayes.py::test_every_text_lies_in_the_frame_and_every_axis_is_named",
    ),
    "Figure 4(a)": (
        "tests/landscape/test_landscape.py::test_the_rule_tells_the_end_of_full_runs_of_figure_4a",
    ),
    "Figure 4(b)": (
        "tests/experiments/test_experiments.py::test_figure_4b_in_full_ends_at_the_oracle_or_its_sign_pair",
    ),
    "Figure 5": (
        "tests/dynamics/test_dynamics_sgd.py::test_the_chain_has_the_law_of_the_vectors_in_twenty_dimensions",
    ),
    "Figure 6": (
        "tests/explorers/test_explore_landscape.py::test_the_line_is_that_of_the_inverse_step_and_divides_the_starts",
    ),
    "Figure 7(a)": (
        "tests/landscape/test_landscape.py::test_above_lambda_c_the_tilted_minimum_is_below_the_oracle",
    ),
    "Figure 7(b)": (
        "tests/experiments/test_experiments.py::test_figure_7b_in_full_has_its_two_outcomes",
    ),
    "Figure 8": (
        "tests/transformer/test_transformer.py::test_fast_is_plain_in_loss_and_in_every_gradient",
        "tests/transformer/test_transformer_floor.py::test_the_best_predictor_of_normalised_tokens_reaches_the_floor",
        "tests/experiments/test_results.py::test_figure_8_ends_at_the_floor_that_layer_norm_leaves",
    ),
    "Figure 9": (
        "tests/heads/test_heads_sgd.py::test_the_mean_step_is_the_gradient_of_the_exact_risk",
        "tests/heads/test_heads_minima.py::test_the_list_at_the_last_lam_of_figure_9",
    ),
    "Figure 10": (
        "tests/transformer/test_transformer.py::test_the_plain_layer_is_equation_29",
        "tests/transformer/test_transformer_floor.py::test_under_shared_noise_two_normalised_tokens_give_both_lengths_away",
    ),
    "Table 1": (
        "tests/language/test_language_sentences.py::test_sizes_and_balance_are_the_paper_s",
    ),
    "Table 2": (
        "tests/language/test_language_sentences.py::test_the_table_of_parameters_is_read_off_the_experiments",
    ),
}

#: What each of our statements is tested against: in words, and the chapters and tests.
OWN: dict[str, tuple[str, ...]] = {
    "noise-sum": (
        "sampled tokens; quadrature",
        "predictor",
        "tests/pages/test_formulas.py::test_the_noise_of_the_other_tokens",
    ),
    "cls-identity": (
        "the layer, computed directly",
        "tests/predictors/test_predictors.py::test_if_cls_sees_itself_the_tokens_keep_what_it_leaves",
    ),
    "bayes-weights": (
        "posterior computed from Gaussian densities",
        "tests/predictors/test_predictors.py::test_the_posterior_is_that_of_the_gaussian_densities",
    ),
    "bayes-floor": (
        "risks of all predictors in the package",
        "tests/predictors/test_predictors.py::test_no_predictor_beats_bayes_and_all_have_their_risk",
    ),
    "conditions-necessary": (
        "quadrature over the bounds of the proof; sequences of λ that violate one condition",
        "tests/landscape/test_oracle_law.py::test_the_bounds_behind_the_necessary_conditions",
        "tests/landscape/test_oracle_law.py::test_without_either_condition_the_oracle_pair_is_not_optimal",
    ),
    "oracle-law": (
        "numerical minimum over λ; quadrature",
        "tests/landscape/test_oracle_law.py::test_the_best_risk_lies_between_its_bounds",
        "tests/landscape/test_oracle_law.py::test_the_exact_form_of_what_is_not_read_and_its_bounds",
    ),
    "erf-floor": (
        "numerical search over pairs and λ",
        "tests/landscape/test_oracle_law.py::test_no_pair_at_no_lam_is_below_the_floor",
        "tests/landscape/test_oracle_law.py::test_in_many_dimensions_the_least_risk_is_that_of_the_swapped_pair",
    ),
    "bayes-law": (
        "sampled sequences; the leading order in many digits; sampled likelihood ratios",
        "tests/risk/test_confusion.py::test_two_tokens_against_simulation_of_the_sequences",
        "tests/risk/test_confusion.py::test_more_tokens_lie_between_the_bounds",
        "tests/risk/test_confusion.py::test_the_leading_order_in_many_digits",
        "tests/risk/test_confusion.py::test_the_wall_by_sampled_likelihood_ratios",
        "tests/risk/test_confusion.py::test_the_wall_of_softmax_at_equal_spreads",
    ),
    "best-weight": (
        "least squares on sampled tokens; an optimizer over logistic weights",
        "tests/risk/test_own_score.py::test_least_squares_on_sampled_tokens_finds_the_best_weight",
        "tests/risk/test_own_score.py::test_an_optimizer_returns_the_logistic_weight",
        "tests/risk/test_own_score.py::test_the_exponent_and_the_wall_of_the_own_score",
        "tests/risk/test_activations.py::test_a_threshold_against_tokens_that_are_drawn",
    ),
    "erf-bias-floor": (
        "quadrature over the bounds of the proof; numerical search over pairs, λ and biases",
        "tests/risk/test_own_score.py::test_the_two_bounds_behind_the_floor_with_a_bias",
        "tests/risk/test_own_score.py::test_no_pair_with_a_bias_is_below_the_floor",
    ),
    "any-activation": (
        "sampled tokens; closed form for erf",
        "tests/risk/test_activations.py::test_the_risk_against_tokens_that_are_drawn",
        "tests/risk/test_activations.py::test_without_a_bias_erf_has_the_closed_form",
    ),
    "angle-map": (
        "the step written in the overlaps",
        "tests/dynamics/test_dynamics.py::test_the_angles_turn_by_an_arctangent",
    ),
    "order-kept": (
        "random ordered pairs of starts; a counterexample with long steps",
        "tests/landscape/test_order.py::test_descent_keeps_the_order",
        "tests/landscape/test_order.py::test_far_beyond_the_certified_step_the_order_is_lost",
    ),
    "order-line": (
        "bisection for four weights; the inverse map, run from the saddle",
        "tests/landscape/test_order.py::test_for_any_nondecreasing_weight_the_starts_that_fail_are_one_decreasing_curve",
        "tests/landscape/test_order.py::test_for_any_nondecreasing_weight_the_curve_leads_back_from_the_saddle",
        "tests/landscape/test_order.py::test_the_dividing_line_is_the_one_that_leads_back_from_the_saddle",
        "tests/landscape/test_order.py::test_two_ordered_starts_near_the_saddle_part_at_the_rate_of_the_proof",
    ),
    "every-attention": (
        "runs; sampled gradients; both sides of the bound on the weights",
        "pgd_convergence",
        "tests/pages/test_formulas.py::test_no_slope_leaves_M_and_softmax_falls_towards_v_star_and_then_k_star",
        "tests/pages/test_formulas.py::test_activations_that_do_not_fall_have_the_slopes_of_the_proof_on_M",
        "tests/pages/test_formulas.py::test_up_to_the_bound_the_risk_falls_towards_the_pair_on_both_edges",
        "tests/pages/test_formulas.py::test_above_the_bound_the_risk_is_least_where_the_theorem_says",
    ),
    "random-softmax": (
        "runs at four values of d; the two limiting equations at large d",
        "random_starts",
        "tests/experiments/test_random_starts.py::test_a_slice_of_the_stored_runs_is_made_again",
        "tests/landscape/test_random_starts_proofs.py::test_softmax_follows_two_equations_in_high_dimension",
    ),
    "random-linear": (
        "runs; an ODE solver; all critical points found by Newton’s method",
        "random_starts",
        "tests/landscape/test_random_starts_proofs.py::test_each_cone_of_linear_attention_leads_to_its_minimum",
        "tests/landscape/test_random_starts_proofs.py::test_no_other_critical_point_of_linear_attention_is_a_minimum",
        "tests/landscape/test_random_starts_proofs.py::test_the_flow_of_linear_attention_is_that_of_the_proof",
    ),
    "random-erf": (
        "runs and their prediction; the limit of the risk; an ODE solver",
        "random_starts",
        "tests/landscape/test_random_starts_proofs.py::test_the_exact_risk_of_erf_has_the_limit_of_the_theorem",
        "tests/experiments/test_random_starts.py::test_the_limit_flow_is_the_gradient_flow_of_its_potential",
    ),
    "plateau-time": (
        "counted steps of runs",
        "tests/landscape/test_plateau.py::test_a_run_along_the_edge_takes_as_many_steps",
        "tests/landscape/test_plateau.py::test_no_start_on_M_is_faster_than_the_lower_bound",
    ),
    "time-to-arrive": (
        "counted steps of runs; a second implementation of the bound",
        "tests/landscape/test_arrival.py::test_no_more_starts_than_allowed_arrive_later",
        "tests/landscape/test_arrival.py::test_the_sum_is_that_of_the_proof",
    ),
    "schedules-arrive": (
        "runs with schedules on both sides of the condition",
        "tests/landscape/test_order.py::test_a_schedule_arrives_if_its_sum_diverges",
        "tests/landscape/test_order.py::test_two_starts_in_the_fourth_quadrant_part_as_fast_as_the_proof_says",
    ),
    "schedule-time": (
        "counted steps of runs; every constant of the proof",
        "tests/landscape/test_arrival.py::test_a_falling_lam_arrives_within_a_power_of_d",
        "tests/landscape/test_arrival.py::test_the_constants_of_the_proof_for_a_falling_lam",
    ),
    "swapped-lower": (
        "both risks at random tasks; quadrature",
        "tests/landscape/test_proved.py::test_below_the_bound_the_swapped_family_predicts_better",
        "tests/landscape/test_proved.py::test_both_risks_by_quadrature_at_the_bound",
    ),
    "mirror-manifold": (
        "runs with the longest permitted step",
        "tests/landscape/test_proved.py::test_on_the_mirror_manifold_order_is_kept_and_every_start_swaps",
    ),
    "race-law": (
        "uniform starts at large d; an ODE solver; fractions of thousands of runs",
        "tests/landscape/test_race.py::test_the_linearised_race_has_the_power_and_the_factor_of_the_theorem",
        "tests/landscape/test_race.py::test_the_factor_is_that_of_the_flow_and_foretells_the_shares",
    ),
    "pair-minimum": (
        "the Hessian at random tasks; quadrature; multiple-precision arithmetic",
        "tests/landscape/test_proved.py::test_the_pair_is_a_minimum_up_to_lambda_c_and_a_saddle_beyond_the_gap",
        "tests/landscape/test_proved.py::test_the_margins_in_many_digits",
        "tests/landscape/test_thresholds.py::test_the_gap_to_first_order_in_many_digits",
    ),
    "swapped-minimum": (
        "the sign of the Hessian at large λ",
        "tests/landscape/test_proved.py::test_for_large_lam_the_sign_of_the_limit_decides",
    ),
    "equal-risks-law": (
        "multiple-precision arithmetic; the limit in growing d",
        "lambda_must_fall",
        "tests/landscape/test_thresholds.py::test_the_risks_are_equal_in_many_digits",
    ),
    "layer-rank-one": (
        "trained layers",
        "tests/transformer/test_transformer_training.py::test_the_product_of_key_and_query_keeps_rank_one",
    ),
    "two-heads-cancel": (
        "the exact risk at growing d; quadrature over the errors of the proof; sampled tokens",
        "several_heads",
        "tests/heads/test_heads_risk.py::test_the_cancelling_heads_have_the_limit_of_the_proposition",
        "tests/heads/test_heads_risk.py::test_the_cancelling_heads_by_quadrature_and_by_sampling",
        "tests/heads/test_heads_cancel.py::test_the_low_powers_of_lam_cancel_in_many_digits",
    ),
    "two-token-softmax": (
        "sampled sequences; quadrature over both scores",
        "further_results",
        "tests/pages/test_formulas.py::test_softmax_over_two_tokens_by_both_scores",
    ),
    "two-layers": (
        "the two layers of the proof, built with finite weights",
        "tests/experiments/test_stacked.py::test_two_layers_come_as_near_as_one_likes_to_softmax_on_the_tokens_as_they_are",
    ),
    "changed-task": (
        "sampled sequences; quadrature over whole tokens",
        "changed_task",
        "tests/pages/test_formulas.py::test_the_risk_of_a_changed_task",
    ),
    "dependent-tokens": (
        "sampled sequences; quadrature over three scores",
        "changed_task",
        "tests/pages/test_formulas.py::test_what_equally_correlated_tokens_add_on_M",
    ),
    "all-rows": (
        "sampled sequences; quadrature over all scores",
        "changed_task",
        "tests/pages/test_formulas.py::test_all_rows_read_by_quadrature_over_all_scores",
    ),
    "random-multipliers": (
        "second derivatives of three risks at random pairs",
        "tests/landscape/test_random_starts_proofs.py::test_the_multipliers_are_the_curvature_along_a_fresh_direction",
    ),
    "random-almost-every": (
        "runs from uniform starts",
        "tests/experiments/test_random_starts.py::test_every_run_ends_at_one_of_the_two_ends",
    ),
    "random-any-weights": (
        "sampled tokens; the exact risks of erf and softmax; quadrature",
        "tests/landscape/test_random_starts_proofs.py::test_the_risk_for_any_weights_by_sampled_tokens_for_three_tokens",
        "tests/landscape/test_random_starts_proofs.py::test_the_risk_for_any_weights_is_the_exact_risk_of_erf",
        "tests/landscape/test_random_starts_proofs.py::test_the_means_of_the_certificates_are_those_of_the_definitions",
    ),
    "random-only-minimum": (
        "all critical points found by Newton’s method; a task with a spurious minimum",
        "tests/landscape/test_random_starts_proofs.py::test_no_other_critical_point_of_softmax_is_a_minimum",
        "tests/landscape/test_random_starts_proofs.py::test_the_condition_is_refused_where_there_is_a_spurious_minimum",
    ),
    "random-one-wins": (
        "an ODE solver",
        "tests/landscape/test_random_starts_proofs.py::test_one_pair_of_the_limit_flow_wins_at_the_rate_of_the_theorem",
    ),
}


def of(page: str) -> list[tuple[str, str, str]]:
    """(kind, title, label) of the statements of a page."""
    if (file := ROOT / f"{page}.md").exists():
        return STATEMENT.findall(file.read_text("utf-8"))
    cells = chapters.read(ROOT, page).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return STATEMENT.findall(text)


def section(page: str) -> str:
    """The list of our statements of one page, each with what it is tested against."""
    lines = []
    for kind, title, label in of(page):
        if label in OWN:
            # A link sets no formulas.
            words = title.replace(r"$\lambda_c$", "λc").replace(r"$\lambda$", "λ")
            words = re.sub(r"^\w+ \((.+); not in the paper\)$", r"\1", words)
            words = words.removesuffix(" (not in the paper)") or kind.capitalize()
            lines.append(f"- {{prf:ref}}`{words} <{label}>`: {OWN[label][0]}")
    name = Path(page).name
    return "\n".join([f"**{{doc}}`{name}`**", "", *lines, ""]) if lines else ""


def text() -> str:
    """The lists of all pages, in the order of the book."""
    return "\n".join(filter(None, map(section, chapters.contents(ROOT))))
