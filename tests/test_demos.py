"""Every demo runs, and shows what it says."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from algorithms import Opening, load
from algorithms.conformance.checking import checked
from tests.patience import LONG
from tests.terminal.pseudo import Pseudo

DEMOS = sorted((Path(__file__).parent.parent / "demos").glob("*.py"))


@cache
def said(name: str) -> str:
    """What a demo prints; it must end well and complain of nothing."""
    path = next(d for d in DEMOS if d.name == name)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)], cwd=path.parent.parent, capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_every_demo_is_run_and_held_to_what_it_says() -> None:
    run = re.findall(r'said\("(\w+\.py)"\)', Path(__file__).read_text(encoding="utf-8"))
    assert {*run} == {demo.name for demo in DEMOS}


def test_mistakes_stay_below_the_bound_and_grow_as_the_margin_shrinks() -> None:
    rows = [tuple(map(float, line.split())) for line in said("mistakes_and_margin.py").splitlines()[1:]]
    assert all(mistakes <= bound for _, mistakes, bound in rows)
    assert [m for _, m, _ in rows] == sorted(m for _, m, _ in rows)


def test_more_clusters_lower_the_objective() -> None:
    found = [float(line.split()[3]) for line in said("how_many_clusters.py").splitlines()]
    assert found == sorted(found, reverse=True)


def test_the_descent_goes_down_the_valley() -> None:
    assert float(said("descent_of_your_own.py").split("f = ")[1].split(",")[0]) < 0.1


def test_training_error_chooses_the_memoriser_and_fresh_targets_do_not() -> None:
    *lines, choice = said("choosing_the_memoriser.py").splitlines()[1:]
    bias, variance, training, fresh, hidden, expected = np.array(
        [list(map(float, line.split()[1:])) for line in lines]
    ).T
    assert choice == "training error chooses k = 1, fresh targets k = 7"
    assert training[-1] == 0
    assert fresh[-1] > 1.5 * fresh[3]
    assert bias[0] > 5 * bias[-1]
    assert variance[-1] > 5 * variance[0]
    assert hidden == pytest.approx(expected, abs=0.03)


def numbers_in(lines: list[str], first: int) -> np.ndarray:
    """A row of numbers a line, from its `first` word on."""
    return np.array([list(map(float, line.split()[first:])) for line in lines])


def test_ridge_beats_least_squares_up_to_the_bound_and_is_measured_where_it_is_expected() -> None:
    *lines, bound = said("ridge_beats_least_squares.py").splitlines()[1:]
    lam, bias, variance, total, measured = numbers_in(lines, 0).T
    assert (np.diff(lam) < 0).all()
    assert (np.diff(bias) <= 0).all()
    assert (np.diff(variance) > 0).all()
    assert total == pytest.approx(bias + variance, abs=2e-3)
    assert measured == pytest.approx(total, rel=0.06)
    helps = (lam > 0) & (lam <= float(bound.split()[-1]))
    assert helps.sum() == 3
    assert (total[helps] < total[-1]).all()
    assert total.min() < total[-1] / 9


def test_the_lasso_has_zeros_where_its_correlation_is_below_the_penalty_and_ridge_has_none() -> None:
    counts, fits = (part.splitlines()[1:] for part in said("zeros_of_the_lasso.py").split("\n\n"))
    _, of_lasso, of_ridge = numbers_in(counts, 0).T
    assert of_lasso.tolist() == [6, 5, 2, 0]
    assert not of_ridge.any()
    w, correlation, shrunk, pull = numbers_in(fits, 1).T
    assert (correlation[w == 0] < 1).all()
    assert (correlation[w != 0] == 1).all()
    assert (shrunk == pull).all()


def test_a_column_that_is_the_sum_of_others_leaves_four_answers_that_all_fit() -> None:
    lines = said("four_exact_fits.py").splitlines()[1:]
    fits = np.array([list(map(float, line[17:].split())) for line in lines])
    w, along, norm, total, worst = fits[:, :3], fits[:, 3], fits[:, 4], fits[:, 5], fits[:, 6]
    assert w[0] == pytest.approx([3, 4, 0])
    assert w[1] == pytest.approx(np.array([3, 1, 9]) / 7, abs=1e-4)
    assert w[2] == pytest.approx(w[1], abs=1e-4)
    assert w[3] == pytest.approx([1 / 3, 0, 4 / 3], abs=0.01)
    assert along[1:3] == pytest.approx([0, 0], abs=1e-4)
    assert norm.argmin() in (1, 2)
    assert total.argmin() == 3
    assert (worst[:3] < 1e-9).all()
    assert worst[3] < 1e-2


def test_one_row_refutes_what_twenty_did_not_and_no_later_row_mends_it() -> None:
    lines = said("one_kernel_refuted.py").splitlines()
    rows, power, square = np.array([list(map(float, line.split())) for line in lines[1:11]]).T
    assert (power[rows <= 13] > 0).all()
    assert (power[rows >= 14] < 0).all()
    assert (np.diff(power) <= 0).all()
    assert (square > -1e-10).all(), "but for rounding"
    assert lines[11].startswith("the witness: v over 14 rows, vᵀKv = -1.71e-06")
    assert lines[12].startswith("the power: 14 rows refuted it: (γ x·z + c)^1.5")
    assert lines[13] == "the square: 30 rows did not refute it, which proves nothing"


def test_a_forest_loses_the_variance_of_its_trees_and_keeps_the_rest() -> None:
    rows = [line.rsplit(maxsplit=4)[1:] for line in said("a_forest_against_a_tree.py").splitlines()[1:]]
    numbers = np.array([[float(cell.rstrip("%")) for cell in row] for row in rows])
    variance, rest, squared, wrong = numbers.T
    assert variance + rest == pytest.approx(squared, abs=0.002)
    assert variance[1:].tolist() == sorted(variance[1:], reverse=True)
    assert variance[-1] < variance[0] / 3
    assert rest == pytest.approx(np.full(len(rest), rest[0]), rel=0.15)
    assert wrong[-1] < wrong[0] - 1.5  # percent


def test_a_joint_table_is_mostly_empty_and_right_about_its_own_rows_alone() -> None:
    lines = [line.replace("%", "").split() for line in said("an_empty_joint_table.py").splitlines()[3:]]
    d, numbers, naive, empty, training, naive_training, held_out, naive_held_out = np.array(lines, float).T
    assert numbers.tolist() == (2 ** (d + 1) - 1).tolist()
    assert naive.tolist() == (2 * d + 1).tolist()
    assert (np.diff(empty) >= 0).all()
    assert empty[-1] > 85
    assert (np.diff(training) <= 0).all()
    assert (training <= naive_training).all()
    assert held_out[-1] > 2.5 * held_out.min()
    assert naive_held_out[-1] == naive_held_out.min() < held_out.min()


def test_two_rows_carry_the_margin_and_without_them_it_is_wider() -> None:
    lines = said("rows_that_may_go.py").splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["100", "2", "1.2941", "0.8235", "1.304"],
        ["2", "2", "1.2941", "0.8235", "1.304"],
        ["98", "2", "1.0769", "0.6154", "1.612"],
    ]
    assert lines[4] == "the hulls of the two classes are 1.304 apart"


def test_an_outlier_narrows_the_hard_margin_alone() -> None:
    table, pictures = (part.splitlines() for part in said("one_outlier.py").split("\n\n"))
    rows = [line.rsplit(maxsplit=4)[1:] for line in table[1:]]
    assert rows[0] == ["1.304", "0.500", "1.00", "0"]
    assert rows[1][1] == "1.517"
    assert rows[1][3] == "1"
    assert float(rows[1][2]) < 0  # it stays wrong
    assert float(rows[2][2]) == pytest.approx(1, abs=0.01)
    hard, soft, bent = zip(*(line.ljust(108).split(" | ") for line in pictures[1:]))
    assert all("@" in "".join(answer) for answer in (hard, soft, bent))
    island = next(line for line in bent if "@" in line)
    assert ". " in island.split("@")[0]  # setosa around it, versicolor between, setosa again


def test_a_flexible_machine_is_right_in_training_and_wrong_on_rows_held_out() -> None:
    lines = [line.replace("%", "").split() for line in said("flexible_or_rigid.py").splitlines()[1:]]
    held_out = {float(line[0]): (float(line[3]), float(line[4])) for line in lines}
    assert held_out[30] == (0.0, 16.2)
    assert held_out[1] == (8.0, 4.0)
    assert min(error for _, error in held_out.values()) == 4.0
    assert held_out[0.01][0] == max(training for training, _ in held_out.values())


def test_fewer_rows_can_be_wrong_the_wider_the_margin_in_any_dimension() -> None:
    margin, columns, supports, wrong, weight, most = numbers_in(said("wide_margins.py").splitlines()[1:], 0).T
    assert most[columns == 2].round().tolist() == [107, 32, 11]
    assert (most[columns > 2] <= most[columns == 2]).all()
    assert (wrong <= weight).all()
    assert (weight <= most).all()
    assert (wrong <= supports).all()
    assert wrong.any()


def test_the_dual_meets_the_primal_where_it_must_and_a_gap_stays_where_it_may() -> None:
    lines = [line.split() for line in said("strong_duality.py").splitlines()]
    gaps = {line[0]: float(line[4]) for line in lines[1:4]}
    assert gaps["half-planes"] == gaps["circle"] == 0.0
    assert gaps["wells"] == pytest.approx(0.389, abs=1e-3)
    dual, primal = np.array([list(map(float, line[1:3])) for line in lines[6:]]).T
    assert (np.diff(dual) >= 0).all()
    assert (dual <= primal).all()
    assert dual[-1] == pytest.approx(primal[-1], abs=2e-4)


def test_a_row_at_a_time_is_fast_early_and_curvature_is_fast_late() -> None:
    table, *reached = said("fast_early_fast_late.py").split("\n\n")
    passes, gradient, stochastic, coordinate, newton, lbfgs = numbers_in(table.splitlines()[2:], 0).T
    left = dict(zip(passes, np.column_stack([gradient, stochastic, coordinate, newton, lbfgs])))
    assert left[1][1:3].max() < left[1][[0, 3, 4]].min() / 5  # a row at a time, after one pass
    assert (left[2][1:3] < left[2][[0, 3, 4]].min() / 5).all()
    assert left[10][3] < 1e-12  # Newton
    assert left[20][4] < 1e-7 < left[20][1] < left[20][0]  # L-BFGS beside the stochastic and the plain gradient
    assert (np.diff(gradient) < 0).all()
    assert (np.diff(coordinate) < 0).all()
    until = [dict(line.split(maxsplit=1) for line in part.splitlines()[1:]) for part in reached]
    tenth, _, billionth = until
    assert tenth["stochastic"].split()[0] == tenth["coordinate"].split()[0] == "1"  # a pass
    assert until[1]["gradient"] == billionth["stochastic"] == "not reached"
    assert all(float(billionth[name].split()[2]) > 0 for name in ("coordinate", "newton", "lbfgs"))  # milliseconds
    assert min(billionth, key=lambda name: float(billionth[name].split()[0].replace("not", "inf"))) == "newton"


def test_the_exponential_loss_pulls_hardest_at_the_rows_whose_label_was_turned() -> None:
    pulls, _, *lines = [line for line in said("flipped_labels.py").splitlines() if line]
    assert pulls == "pull at z = -5: exponential 148, squared 12, hinge 1, logistic 0.993"
    rows = [line.replace("%", "").split() for line in lines[2:]]
    rounds, turned, of_logistic, heaviest, heaviest_of_logistic = np.array(rows, float).T
    assert rounds.tolist() == [1, 3, 10, 30, 100]
    assert (turned > of_logistic).all()  # a tenth of the rows
    assert turned[-1] > 30
    assert (heaviest[1:] > 1.8 * heaviest_of_logistic[1:]).all()


def test_half_of_the_seeds_of_exclusive_or_do_not_come_to_the_least_loss() -> None:
    levels, two = said("two_seeds_of_xor.py").split("\n\n")
    assert levels.splitlines()[0] == "20 seeds, 3,000 epochs"
    level, seeds, loss, slope = np.array([line.split()[-4:] for line in levels.splitlines()[2:]], float).T
    assert level == pytest.approx([0, np.log(2) / 2, 0.4774], abs=1e-4)
    assert seeds.tolist() == [10, 9, 1]
    assert loss.tolist() == [0.002, 0.348, 0.479]
    assert (slope < 0.002).all()
    epoch, first, second = numbers_in(two.splitlines()[1:], 0).T
    assert epoch[-1] == 3000
    assert (np.diff(first) < 0).all()
    assert (np.diff(second) < 0).all()
    assert first[-1] < 0.01 < 0.34 < second[-1]


def test_two_ways_end_in_a_line_and_where_rows_are_gaussian_the_generative_one_is_better() -> None:
    lines, errors = said("generative_against_discriminative.py").split("\n\n")
    assert lines.splitlines() == [
        "200 people, log odds of M by weight and height",
        "Gaussians  w = (2.464, 2.446)   b = -0.593   error 0.070",
        "logistic   w = (2.574, 3.254)   b = -0.328   error 0.090",
    ]
    n, gaussians, logistic, gaussians_of_cancer, logistic_of_cancer = numbers_in(errors.splitlines()[3:], 0).T
    assert n.tolist() == [12, 50, 300]
    assert gaussians[0] > logistic[0]
    assert (gaussians[1:] < logistic[1:]).all()
    assert (gaussians_of_cancer > logistic_of_cancer).all()


def test_the_student_is_right() -> None:
    words = said("kmeans_of_a_student.py")
    least = 78.851441426  # KMeans(3, n_init=10).fit(X).inertia_ of scikit-learn
    assert float(words.split("cost ")[1].split(",")[0]) == pytest.approx(least, rel=1e-6)


def test_the_full_algorithm_is_seventy_lines_and_conforms() -> None:
    text = (DEMOS[0].parent / "running_mean.py").read_text().split("if __name__")[0]
    assert len([line for line in text.splitlines() if line.strip()]) <= 70
    assert "holds" in said("running_mean.py")
    assert [outcome for outcome in checked(load(str(DEMOS[0].parent / "running_mean.py"))) if outcome.wrong] == []


@pytest.mark.parametrize("name", ["descent_of_your_own.py", "kmeans_of_a_student.py", "running_mean.py"])
def test_a_demo_of_your_own_is_watched(name: str) -> None:
    ways = [[f"demos/{name}"]]
    if name == "kmeans_of_a_student.py":  # by the app as any file: of the three one will do
        ways.append(["-m", "tui", f"demos/{name}"])
    for words in ways:
        with Pseudo.python(*words, columns=120, rows=40) as terminal:
            terminal.see("step 0 of")
            terminal.press("lll")
            terminal.see("step 3 of")
            terminal.press("h")
            terminal.see("step 2 of")
            terminal.press("q")
            assert terminal.status() == 0
            assert terminal.left_on() == []


def test_the_fork_parts_where_it_says() -> None:
    rows = [line.split() for line in said("the_other_future.py").splitlines()[1:]]
    values = {int(row[0]): (float(row[1]), float(row[2])) for row in rows}
    assert all(values[t][0] == pytest.approx(values[t][1], rel=1e-3) for t in values if t <= 20)
    assert values[40][1] > 2 * values[40][0]


def test_the_lesson_opens_with_both_futures_in_it() -> None:
    opening = Opening(DEMOS[0].parent / "dragged_mean.json")
    while not opening.work(1.0):
        pass
    first, dragged = opening.branches.all
    assert dragged.parent is first
    assert dragged.begin == 4
    ends = [branch.timeline.run().at(branch.timeline.last).state for branch in (first, dragged)]
    assert np.allclose(*[end.means for end in ends], atol=0.1)  # it finds the way back, but for a few rows
    assert dragged.timeline.last > first.timeline.last


def test_a_component_alone_on_one_value_makes_the_likelihood_as_great_as_the_floor_lets_it() -> None:
    plain, *spikes = [line.split()[-4:] for line in said("the_spike_of_em.py").splitlines()[1:]]
    levels = [float(level) for level, *_ in spikes]
    assert float(plain[0]) == pytest.approx(-1032, abs=0.5)
    assert levels == pytest.approx([-1033, -1022, -1000], abs=0.5)
    assert [float(mean) for _, mean, _, _ in spikes[1:]] == [79, 79]
    assert float(spikes[1][2]) == pytest.approx(10 * float(spikes[2][2]), rel=0.01)
