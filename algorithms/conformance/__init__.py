"""What every algorithm keeps to, as checks that say what is wrong: those of ours, and of who writes one elsewhere.

A check takes an algorithm, with data or all of its data or none, and raises an AssertionError with a sentence.
`checked` makes all of them, as `iterscope check FILE` does; the tests point them at all that the catalogue finds,
with what the tests of an algorithm say of it besides, and at mutants that must not pass.
"""

from algorithms.conformance.budgets import check_budget
from algorithms.conformance.contract import (
    check_can_fail,
    check_lengths,
    check_lets_go,
    check_measured,
    check_page,
    check_symbols,
)
from algorithms.conformance.declaration import (
    check_declaration,
    check_edges,
    check_objective,
    check_only_for,
    check_parameters,
)
from algorithms.conformance.edits import check_edits
from algorithms.conformance.ends import check_ends
from algorithms.conformance.forks import check_forks
from algorithms.conformance.notation import check_colours, check_letters_of_proofs, check_notation
from algorithms.conformance.opening import check_asks, check_first_theorem, check_theorems_speak
from algorithms.conformance.scenes import check_scenes
from algorithms.conformance.states import check_arrays, check_counts, check_repeats, check_resumes
from algorithms.conformance.theorems import check_curves, check_theorems
from algorithms.conformance.timelines import check_timeline
from algorithms.conformance.whole import check_curves_defined, check_long_run, check_phases_come, check_theorems_apply

ON_STATES = (
    check_counts,
    check_repeats,
    check_resumes,
    check_arrays,
    check_timeline,
    check_lengths,
)
ON_WHAT_IS_SHOWN = (
    check_theorems,
    check_curves,
    check_scenes,
    check_colours,
    check_symbols,
    check_objective,
)
ON_MANY_RUNS = (
    check_forks,
    check_edits,
    check_edges,
    check_only_for,
    check_long_run,
    check_measured,
    check_lets_go,
)
ON_DATA = (*ON_STATES, *ON_WHAT_IS_SHOWN, *ON_MANY_RUNS)
ON_ALL_DATA = (
    check_theorems_apply,
    check_curves_defined,
    check_phases_come,
    check_can_fail,
    check_ends,
    check_theorems_speak,
    check_asks,
)
ON_ITSELF = (
    check_declaration,
    check_parameters,
    check_page,
    check_notation,
    check_letters_of_proofs,
    check_budget,
    check_first_theorem,
)

__all__ = [
    "ON_ALL_DATA",
    "ON_DATA",
    "ON_ITSELF",
    "ON_MANY_RUNS",
    "ON_STATES",
    "ON_WHAT_IS_SHOWN",
    "check_arrays",
    "check_asks",
    "check_budget",
    "check_can_fail",
    "check_colours",
    "check_lengths",
    "check_lets_go",
    "check_measured",
    "check_page",
    "check_symbols",
    "check_counts",
    "check_curves",
    "check_curves_defined",
    "check_declaration",
    "check_edges",
    "check_edits",
    "check_ends",
    "check_first_theorem",
    "check_forks",
    "check_long_run",
    "check_letters_of_proofs",
    "check_notation",
    "check_objective",
    "check_only_for",
    "check_parameters",
    "check_phases_come",
    "check_repeats",
    "check_resumes",
    "check_scenes",
    "check_theorems",
    "check_theorems_apply",
    "check_theorems_speak",
    "check_timeline",
]
