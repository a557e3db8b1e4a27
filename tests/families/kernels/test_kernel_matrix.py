"""Kernel or not: the lectures' small sets by hand, the functions against their proofs, theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import iris, line, rings
from algorithms.families.kernels.kernel_matrix.algorithm import gram_of, lost_now, rank
from algorithms.families.kernels.kernel_matrix.kernel_candidates import FORMULAS, PROOFS
from algorithms.toolbox.explicit_features import feature_count, monomials
from algorithms.toolbox.kernels import Kernel

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_the_eigenvector_of_another_eigenvalue_is_no_witness",
    "update": "test_the_spectrum_of_other_rows_is_noticed",
}
PLANTED = {  # what no small change of a state breaks, and the fault that does
    "k = φ·φ for the row that entered": "test_other_features_are_not_those_of_the_kernel",
    "rank of K <= D, the number of features": "test_more_directions_than_features_are_noticed",
    "what is a kernel by proof has no λ₁ < 0": "test_a_kernel_that_is_refuted_is_noticed",
    "exp of a kernel: λ₁(exp∘K) >= λ₁(K), K over its greatest entry": "test_the_rules_bound_what_they_make",
    "f k f: cosines have λ₁ >= λ₁(K)/max k(x, x) where K has none below 0": "test_the_rules_bound_what_they_make",
    "sums: λ₁(K + L) >= λ₁(K) + λ₁(L)": "test_the_rules_bound_what_they_make",
}
SILENT = {  # in the run that opens, and why
    "what is a kernel by proof has no λ₁ < 0": "nothing proves (γ x·z + c)^1.5 to be one",
    "k = φ·φ for the row that entered": "its φ is not written down",
    "rank of K <= D, the number of features": "its φ is not written down",
}

MATRIX = find("kernel_matrix")
FOR_EVER, INTERLACED, TRACE, WITNESS, KERNEL, FEATURES, RANK, SUM, PRODUCT, EXP, COSINE = MATRIX.theorems


def rows(*values):
    return Dataset(np.array(values, float)[:, None])


def run_of(data, **parameters):
    problem = MATRIX.problem(data, None, parameters)
    return problem, list(MATRIX.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# The algorithm


@pytest.mark.parametrize(
    ("function", "values", "refuted", "least"),
    [
        ("max", (1, 2), 2, -0.5616),
        ("sigmoid", (0.5, 1, 2), 1, -0.9581),
        ("distance", (0, 1, 3), 2, -4.1131),
        ("power", (0, 1, 2, 3), 4, -0.0020),
        ("minus", (1, 2), 1, -5.0),
    ],
)
def test_the_lectures_sets_refute_what_is_no_kernel(function, values, refuted, least):
    _, states = run_of(rows(*values), function=function, gamma=1.0, constant=1.0)
    assert states[-1].refuted == refuted
    assert float(states[-1].spectrum[0]) == pytest.approx(least, abs=5e-5)
    assert [s.phase for s in states].count("refute") == (refuted > 1)


def test_max_of_one_and_two_by_hand():
    """K = [1 2; 2 2]: λ = (3 ± √17)/2, and v is along (2, λ_1 - 1)."""
    _, states = run_of(rows(1, 2), function="max")
    least = (3 - np.sqrt(17)) / 2
    assert states[1].spectrum == pytest.approx([least, 3 - least])
    v = np.array([2, least - 1]) / np.linalg.norm([2, least - 1])
    assert np.abs(states[1].witness) == pytest.approx(np.abs(v))


def test_the_polynomial_kernel_of_the_lecture_and_its_features():
    """(x·z + 1)² at (1, 2), (3, -1) is 4; degree 3 and 4 on two features have 10 and 15 products."""
    x = np.array([[1.0, 2.0], [3.0, -1.0]])
    for degree, count in [(2, 6), (3, 10), (4, 15)]:
        kernel = Kernel("polynomial", 1.0, degree, 1.0)
        phi = monomials(kernel, x)
        assert phi.shape[1] == feature_count(kernel, 2) == count
        assert float(phi[0] @ phi[1]) == pytest.approx(2.0**degree)
    assert feature_count(Kernel("polynomial", 1.0, 3, 1.0), 4) == 35
    assert feature_count(Kernel("polynomial", 1.0, 3, 1.0), 64) == 47_905


@pytest.mark.parametrize("function", list(PROOFS))
def test_no_rows_refute_what_is_proved(function):
    data = iris.with_(sample=20).load()
    _, states = run_of(data, function=function, gamma=0.1)
    assert states[-1].refuted == 0
    assert Timeline(MATRIX, data, {"function": function, "gamma": 0.1}).run().stopped.reason.endswith("proves nothing")


def test_the_overlap_of_intervals_needs_rows_that_are_not_negative():
    assert run_of(rows(1, 2, 3), function="min")[1][-1].refuted == 0
    problem, states = run_of(rows(1, -2, 3), function="min")
    assert states[-1].refuted == 2
    assert status(KERNEL, problem, None, states[-1]) == "does not apply"


def test_different_rows_of_an_rbf_kernel_have_full_rank_and_a_polynomial_at_most_its_features():
    data = rings.with_(n=12).load()
    for function, most in [("rbf", 12), ("polynomial", 6), ("linear", 2)]:
        problem, states = run_of(data, function=function, gamma=1.0)
        assert rank(problem, states[-1]) == most


def test_the_least_eigenvalue_never_rises_and_refuted_is_refuted_for_ever():
    _, states = run_of(rings.with_(n=30).load())
    least = [float(s.spectrum[0]) for s in states]
    assert all(b <= a + 1e-12 for a, b in zip(least, least[1:]))
    assert states[4].refuted == 0
    assert {s.refuted for s in states[5:]} == {6}


# Its states


@pytest.mark.parametrize("changes", [{"function": "max"}, {"function": "rbf"}, {"gamma": 3.0}, {"rows": 12}])
def test_a_fork_is_what_a_fresh_run_would_be(changes):
    run = Timeline(MATRIX, rings.with_(n=20)).run()
    fork = run.fork(9, **changes).run()
    fresh = Timeline(MATRIX, rings.with_(n=20), changes).run()
    assert fork.failures == []
    mine, theirs = fork.at(fork.last).state, fresh.at(fresh.last).state
    assert same(mine.spectrum, theirs.spectrum)
    assert mine.refuted == theirs.refuted


def test_a_moved_row_changes_what_there_is_of_it():
    run = Timeline(MATRIX, rings.with_(n=20)).run()
    fork = run.fork(9, data=edited(run.data, [Move(0, (5.0, 5.0))])).run()
    assert fork.failures == []
    assert float(fork.at(9).state.spectrum[-1]) > 2 * float(run.at(9).state.spectrum[-1])


# Its theorems


@pytest.mark.parametrize("function", list(FORMULAS))
def test_every_theorem_holds_at_every_step(function):
    for recipe in (rings.with_(n=14), line.with_(n=8), iris.with_(sample=12)):
        assert Timeline(MATRIX, recipe, {"function": function}).run().failures == []


def test_the_eigenvector_of_another_eigenvalue_is_no_witness():
    problem, states = run_of(rings.with_(n=12).load())
    K = gram_of(problem)[:8, :8]
    other = replace(states[7], witness=np.linalg.eigh(K)[1][:, 1])
    assert status(WITNESS, problem, None, states[7]) == "holds"
    assert status(WITNESS, problem, None, other) == "fails"


def test_the_spectrum_of_other_rows_is_noticed():
    problem, states = run_of(rings.with_(n=12).load())
    skipped = np.linalg.eigvalsh(gram_of(problem)[1:9, 1:9])
    planted = replace(states[7], spectrum=skipped)
    assert status(TRACE, problem, states[6], planted) == "fails"
    risen = states[7].spectrum.copy()
    risen[0] = states[6].spectrum[0] + 0.1
    assert status(INTERLACED, problem, states[6], replace(states[7], spectrum=risen)) == "fails"
    assert status(FOR_EVER, problem, states[6], replace(states[7], spectrum=np.abs(risen) + 1)) == "fails"


def test_a_kernel_that_is_refuted_is_noticed():
    problem, states = run_of(rings.with_(n=12).load(), function="rbf")
    planted = replace(states[7], spectrum=states[7].spectrum - 1.0)
    assert status(KERNEL, problem, None, states[7]) == "holds"
    assert status(KERNEL, problem, None, planted) == "fails"


def test_other_features_are_not_those_of_the_kernel(monkeypatch):
    data = rings.with_(n=12).load()
    problem, states = run_of(data, function="polynomial", gamma=1.0)
    assert status(FEATURES, problem, None, states[7]) == "holds"
    other, _ = run_of(data, function="polynomial", gamma=1.0, constant=2.0)
    wrong = MATRIX.problem(data, None, {"function": "polynomial", "gamma": 1.0})
    monkeypatch.setattr("algorithms.families.kernels.kernel_matrix.algorithm.gram_of", lambda problem: gram_of(other))
    assert status(FEATURES, wrong, None, states[7]) == "fails"


def test_more_directions_than_features_are_noticed():
    problem, states = run_of(rings.with_(n=12).load(), function="polynomial", gamma=1.0)
    planted = replace(states[9], spectrum=states[9].spectrum + 1.0)
    assert status(RANK, problem, None, states[9]) == "holds"
    assert status(RANK, problem, None, planted) == "fails"


@pytest.mark.parametrize("theorem", [SUM, PRODUCT, EXP, COSINE], ids=["sum", "product", "exp", "cosine"])
def test_the_rules_bound_what_they_make(theorem):
    """With a least eigenvalue that K does not have, sums, products, exp and cosines fall short of it."""
    problem, states = run_of(rings.with_(n=12).load(), function="rbf", gamma=0.5)
    planted = replace(states[7], spectrum=states[7].spectrum + 2.0)
    assert status(theorem, problem, None, states[7]) == "holds"
    assert status(theorem, problem, None, planted) == "fails"


def test_what_rounding_makes_of_an_eigenvalue_refutes_nothing():
    """Equal rows: K has rank 1, and eigenvalues of -1e-17."""
    problem, states = run_of(rows(*[3.7] * 8), function="exp", gamma=0.1)
    assert states[-1].refuted == 0
    assert 0 < lost_now(problem, states[-1]) < 1e-11


# Words and limits


def test_it_explains_its_steps():
    run = Timeline(MATRIX, rings.with_(n=30)).run()
    say = [MATRIX.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(8)]
    assert say[0].startswith("Row 0 (")
    assert "proves nothing" in say[1]
    assert "refuted, and for ever" in say[5]
    assert "It never rises: refuted with 6 rows." in say[6]
    last = run.at(run.last)
    assert f"{run.at(run.last - 1).state.spectrum[0]:.3g}" == f"{last.state.spectrum[0]:.3g}" == "-0.346"
    assert "λ₁ stays at -0.346." in MATRIX.explain(run.problem, last.before, last.state)


def test_a_fork_to_another_function_does_not_say_refuted_of_what_is_not():
    run = Timeline(MATRIX, rings.with_(n=30)).run()
    refuting = next(t for t in range(run.last) if run.kind(t).phase == "refute")
    fork = run.fork(refuting, function="rbf").run()
    assert all(fork.kind(t).phase != "refute" for t in range(fork.begin, len(fork)))
    for state in (fork.at(fork.begin).state, run.at(refuting).state.replaced(refuted=0)):
        assert "refuted" not in MATRIX.explain(fork.problem, None, state)


def test_nothing_is_said_to_be_minus_nothing():
    run = Timeline(MATRIX, rings.with_(n=5), {"function": "distance"}).run()
    assert " k(x, x) = 0 of " in MATRIX.explain(run.problem, None, run.at(0).state)
    assert "enters: k(x, x) = 0, and -" in MATRIX.explain(run.problem, run.at(0).state, run.at(1).state)


@pytest.mark.parametrize("size", [1e-160, 1e140])
def test_numbers_that_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="out of range"):
        MATRIX(rows(size, 2 * size))


def test_what_has_no_value_is_refused_in_words():
    with pytest.raises(Refused, match="row 1 of data is 0, and has no cosine"):
        MATRIX(rows(1, 0, 2), function="cosine")
    with pytest.raises(Refused, match="scale the features, or lower gamma"):
        MATRIX(rows(1, 50), function="exp", gamma=1.0)
