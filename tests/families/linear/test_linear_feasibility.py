"""Von Neumann's algorithm: worked by hand, against a hard-margin SVM, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from sklearn.svm import LinearSVC

import algorithms.families.linear.linear_feasibility as module
from algorithms import Add, Label, Remove, Timeline, edited, find
from algorithms.core import Arrow, Dataset
from algorithms.core.state import same
from algorithms.data import blobs, iris, moons, penguins
from algorithms.toolbox.hull_steps import chosen, how_far, least_share, moved
from algorithms.toolbox.panels.hull import outline
from algorithms.toolbox.separation import separate
from algorithms.toolbox.signed_rows import longest, signed_rows

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_another_row_than_the_lowest_breaks_the_choice",
    "update": "test_a_step_half_as_far_or_too_far_is_not_the_nearest_on_the_way",
}
PLANTED = {
    "min y w·x <= γ* <= ‖z‖": "test_a_z_outside_of_the_hull_can_break_the_enclosure",
    "‖z‖² - γ*² <= 4D²/(t + 2)": "test_a_run_that_stands_still_breaks_the_rate",
}

FEASIBILITY = find("linear_feasibility")
ENCLOSED, HULL, CHOICE, NEAREST, WRONG_ROW, LENGTH, SOON, RATE = FEASIBILITY.theorems
LECTURE = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.5]], [1, 1, 0], classes=("-", "+"))


def run_of(data, **parameters):
    return list(FEASIBILITY(data, **parameters))


def reason(data, **parameters):
    return Timeline(FEASIBILITY, data, parameters).run().stopped.reason


def margin_of(data, z):
    return float((signed_rows(data, len(z) > data.d) @ z).min() / np.linalg.norm(z))


# The algorithm


def test_two_rows_by_hand():
    """y x = (2, 0) and (0, 2): the second lies at a right angle, and half-way both are √2 along (1, 1)/√2."""
    data = Dataset([[2.0, 0.0], [0.0, -2.0]], [1, 0], classes=("-", "+"))
    start, only = run_of(data)
    assert start.z.tolist() == [2.0, 0.0]
    assert (only.phase, only.row, only.far, only.wrong) == ("pull", 1, 0.5, 1)
    assert only.z.tolist() == [1.0, 1.0]
    assert only.shares.tolist() == [0.5, 0.5]
    assert reason(data) == "w has the margin 1.414, and no w of length 1 has one above 1.414"


def test_the_lectures_rows_have_no_separator_and_two_of_them_prove_it():
    last = run_of(LECTURE)[-1]
    assert last.z.tolist() == [0.0, 0.0]
    assert last.shares.tolist() == [0.5, 0.5, 0.0]
    assert "a weighted mean of the y x is 0 to nine digits" in reason(LECTURE)


def test_rows_in_each_other_end_at_a_mean_that_is_0():
    data = moons.load()
    last = run_of(data)[-1]
    assert np.linalg.norm(last.shares @ signed_rows(data, False)) <= 1e-9 * longest(data, False)
    assert last.shares.min() >= 0
    assert last.shares.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_a_separator_is_there_within_the_bound(seed):
    data = blobs.with_(n=60, margin=0.2, seed=seed).load()
    states = run_of(data, until="a separator", steps=10_000)
    assert margin_of(data, states[-1].z) > 0
    assert all(s.phase == "pull" for s in states[1:])
    assert len(states) <= (longest(data, False) / 0.2) ** 2


@pytest.mark.parametrize("bias", [True, False])
def test_with_rows_giving_back_it_comes_to_the_widest_margin(bias):
    for data in (blobs.with_(n=60, margin=0.3).load(), penguins.with_(positive="Gentoo", scale=True).load()):
        states = run_of(data, away=True, tolerance=1e-6, steps=5000, bias=bias)
        assert {s.phase for s in states} >= {"pull", "give back"}
        best = separate(signed_rows(data, bias)).margin
        assert margin_of(data, states[-1].z) == pytest.approx(best, rel=2e-6)
        assert np.linalg.norm(states[-1].z) == pytest.approx(best, rel=2e-6)


def test_a_hard_svm_without_a_bias_has_the_same_direction():
    data = iris.with_(positive="setosa").load()
    last = run_of(data, away=True, tolerance=1e-5, steps=50_000)[-1]
    theirs = LinearSVC(C=1e6, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(data.X, data.y)
    w = theirs.coef_[0] / np.linalg.norm(theirs.coef_[0])
    assert last.z / np.linalg.norm(last.z) == pytest.approx(w, abs=2e-3)
    assert margin_of(data, last.z) >= margin_of(data, w) * (1 - 1e-4)


def test_without_giving_back_it_zigzags():
    data = blobs.with_(n=60, margin=0.3).load()
    assert len(run_of(data, away=True, tolerance=0.02)) < 20 < 500 < len(run_of(data, tolerance=0.02))


def test_a_step_away_uses_up_a_share_and_no_more():
    rows = np.array([[1.0, 5.0], [1.0, -1.0], [2.0, 1.0]])
    shares = np.array([0.1, 0.5, 0.4])
    z = shares @ rows
    row, back = chosen(rows @ z, z, shares, away=True)
    assert (row, back) == (0, True)
    far = how_far(z, rows[0], least_share(0.1))
    after = moved(shares, 0, far)
    assert after.min() >= 0
    assert after.sum() == pytest.approx(1.0)
    assert after @ rows == pytest.approx((1 - far) * z + far * rows[0])
    assert moved(shares, 0, least_share(0.1)) == pytest.approx([0.0, 5 / 9, 4 / 9])


def test_it_goes_on_from_any_state_bit_for_bit():
    data, parameters = blobs.with_(n=60, margin=0.3).load(), {"away": True, "bias": True, "tolerance": 1e-6}
    states = run_of(data, **parameters)
    for k, state in enumerate(states):
        rest = list(FEASIBILITY(data, state=pickle.loads(pickle.dumps(state)), **parameters))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


# Its theorems


def at_steps(data, **parameters):
    problem = FEASIBILITY.problem(data, None, parameters)
    states = list(FEASIBILITY.start(problem))
    return problem, list(zip([None, *states], states))


@pytest.mark.parametrize("parameters", [{}, {"away": True}, {"bias": True, "steps": 300}])
@pytest.mark.parametrize(
    "data",
    [blobs.with_(n=60, margin=0.3).load(), iris.with_(positive="virginica").load(), moons.load(), LECTURE],
    ids=["margin", "virginica", "moons", "lecture"],
)
def test_no_theorem_fails_at_any_step(data, parameters):
    problem, steps = at_steps(data, **parameters)
    for theorem in FEASIBILITY.theorems:
        assert "fails" not in {theorem.verdict(problem, *step).status for step in steps[:40] + steps[40:][-10:]}


def test_another_row_than_the_lowest_breaks_the_choice():
    data = blobs.with_(n=60, margin=0.3).load()
    problem, steps = at_steps(data, steps=30)
    yx = signed_rows(data, False)
    for before, after in steps[1:]:
        second = int(np.argsort(yx @ before.z)[1])
        far = how_far(before.z, yx[second], 0.0)
        z, shares = (1 - far) * before.z + far * yx[second], moved(before.shares, second, far)
        other = before.after(after.phase, z=z, shares=shares, row=second, far=far)
        assert CHOICE.verdict(problem, before, after).status == "holds"
        assert CHOICE.verdict(problem, before, other).status == "fails"
        assert NEAREST.verdict(problem, before, other).status == "holds"


def test_another_row_than_the_highest_that_gives_back_breaks_the_choice():
    problem, steps = at_steps(iris.with_(positive="setosa").load(), away=True)
    before, after = next((b, a) for b, a in steps if a.phase == "give back" and np.count_nonzero(b.shares) > 3)
    inside = np.flatnonzero(before.shares > 0)
    for row in inside[inside != after.row]:
        assert CHOICE.verdict(problem, before, after.replaced(row=int(row))).status == "fails"


@pytest.mark.parametrize("times", [0.5, 0.9, 1.1, -1.0])
def test_a_step_half_as_far_or_too_far_is_not_the_nearest_on_the_way(times):
    data = blobs.with_(n=60, margin=0.3).load()
    problem, steps = at_steps(data, steps=40)
    yx = signed_rows(data, False)
    for before, after in steps[1:]:
        far = times * after.far
        z, shares = (1 - far) * before.z + far * yx[after.row], moved(before.shares, after.row, far)
        assert NEAREST.verdict(problem, before, after).status == "holds"
        assert NEAREST.verdict(
            problem, before, before.after(after.phase, z=z, shares=shares, row=after.row)
        ).status == ("fails")


def test_a_row_pulled_in_where_another_should_give_back_breaks_the_choice():
    problem, steps = at_steps(iris.with_(positive="setosa").load(), away=True)
    before, after = next((b, a) for b, a in steps if a.phase == "give back")
    lowest = int((signed_rows(problem.data, False) @ before.z).argmin())
    assert CHOICE.verdict(problem, before, after).status == "holds"
    assert CHOICE.verdict(problem, before, before.after("widen", row=lowest)).status == "fails"


def test_a_row_that_gives_back_less_than_it_could_is_noticed():
    problem, steps = at_steps(iris.with_(positive="setosa").load(), away=True)
    yx = signed_rows(problem.data, False)
    before, after = next((b, a) for b, a in steps if a.phase == "give back" and a.shares[a.row] == 0)
    z = (1 - after.far / 2) * before.z + after.far / 2 * yx[after.row]
    assert NEAREST.verdict(problem, before, after).status == "holds"
    assert NEAREST.verdict(problem, before, after.replaced(z=z)).status == "fails"


def test_wrong_rows_counted_twice_or_not_at_all_are_noticed():
    problem, steps = at_steps(blobs.with_(n=60, margin=0.3).load())
    before, after = next((b, a) for b, a in steps if a.phase == "pull")
    assert WRONG_ROW.verdict(problem, before, after).status == "holds"
    for more in (0, 2):
        assert WRONG_ROW.verdict(problem, before, after.replaced(wrong=before.wrong + more)).status == "fails"


def test_after_a_fork_no_most_is_set_beside_the_rows_that_were_pulled_in_before_it():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load())
    run.advance(5)
    fork = run.fork(4, data=edited(run.data, [Remove(0)]))
    tables = [module.so_far(p, fork.at(4).state)["R²/γ*²"] for p in (run.problem, fork.problem)]
    assert tables[0] > 1
    assert tables[1] is None


def test_shares_that_do_not_belong_to_z_break_the_hull():
    problem, steps = at_steps(blobs.with_(n=60, margin=0.3).load(), steps=20)
    _, after = steps[-1]
    assert HULL.verdict(problem, None, after).status == "holds"
    for shares in (np.roll(after.shares, 1), 1.01 * after.shares, after.shares - 0.5 * (after.shares > 0.3)):
        assert HULL.verdict(problem, None, after.replaced(shares=shares)).status == "fails"


def test_a_z_outside_of_the_hull_can_break_the_enclosure():
    problem, steps = at_steps(blobs.with_(n=60, margin=0.3).load(), away=True)
    _, last = steps[-1]
    assert ENCLOSED.verdict(problem, None, last).status == "holds"
    assert ENCLOSED.verdict(problem, None, last.replaced(z=0.9 * last.z)).status == "fails"


def test_wrong_rows_that_do_not_shorten_z_break_what_is_said_of_them():
    problem, steps = at_steps(blobs.with_(n=60, margin=0.3).load())
    before, after = next((b, a) for b, a in steps if a.phase == "pull")
    assert WRONG_ROW.verdict(problem, before, before.after("pull", row=after.row)).status == "fails"
    _, last = steps[-1]
    many = last.replaced(wrong=1000)
    assert {t.verdict(problem, None, last).status for t in (LENGTH, SOON)} == {"holds"}
    assert {t.verdict(problem, None, many).status for t in (LENGTH, SOON)} == {"fails"}


def test_a_run_that_stands_still_breaks_the_rate():
    problem, steps = at_steps(blobs.with_(n=60, margin=0.3).load(), steps=5)
    state = steps[0][1]
    verdicts = []
    for _ in range(60):
        state = state.after("pull")
        verdicts.append(RATE.verdict(problem, None, state).status)
    assert verdicts[0] == "holds"
    assert verdicts[-1] == "fails"


def test_what_speaks_of_separable_rows_says_why_it_does_not_apply():
    problem, steps = at_steps(moons.load())
    verdict = SOON.verdict(problem, *steps[-1])
    assert (verdict.status, verdict.why[:44]) == ("does not apply", "the rows cannot be separated strictly: a wei")
    problem, steps = at_steps(moons.load(), away=True)
    assert RATE.verdict(problem, *steps[-1]).status == "does not apply"


# Edits, forks and what is seen


def test_shares_follow_the_rows_that_are_left():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load())
    run.advance(30)
    state = run.at(25).state
    gone = int(np.flatnonzero(state.shares)[0])
    fork = run.fork(25, data=edited(run.data, [Remove(gone), Add((9.0, 9.0), 1)]))
    left = fork.at(25).state
    assert left.shares.sum() == pytest.approx(1.0)
    assert left.shares[-1] == 0
    kept = np.delete(state.shares, gone)
    assert left.shares[:-1] == pytest.approx(kept / kept.sum())
    fork.advance(40)
    assert not fork.failures
    verdicts = fork.verdicts(fork.at(fork.last))
    assert [v.status for v in verdicts[5:]] == ["does not apply"] * 3


def test_where_all_rows_in_z_are_gone_it_begins_at_the_first():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load())
    run.advance(5)
    fork = run.fork(0, data=edited(run.data, [Remove(0)]))
    assert fork.at(0).state.shares.tolist() == [1.0] + [0.0] * 58
    assert fork.at(0).state.z == pytest.approx(signed_rows(fork.data, False)[0])


def test_a_run_that_found_a_separator_goes_on_to_the_widest():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load(), {"until": "a separator"}).run()
    fork = run.fork(run.last, until="the widest", away=True).run()
    assert fork.last > run.last
    assert margin_of(run.data, fork.at(fork.last).state.z) > 0.29


def test_a_label_turned_makes_separable_rows_inseparable():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load(), {"steps": 5000})
    run.advance(20)
    far = int(np.argmax(np.abs(run.data.X @ run.at(4).state.z)))
    fork = run.fork(4, data=edited(run.data, [Label(far, 1 - int(run.data.y[far]))])).run()
    assert "is 0 to nine digits" in fork.stopped.reason


def test_hulls_have_the_corners_they_have():
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0], [2, 1], [0, 0]])
    assert {tuple(c) for c in outline(square).tolist()} == {(0, 0), (2, 0), (2, 2), (0, 2)}
    assert outline(square)[0].tolist() == outline(square)[-1].tolist()
    assert len(outline(np.ones((5, 2)))) == 2
    assert {tuple(c) for c in outline(np.array([[0.0, 0], [1, 1], [2, 2]])).tolist()} == {(0, 0), (2, 2)}


@pytest.mark.parametrize(("d", "bias"), [(1, False), (1, True), (2, True), (5, False)])
def test_the_nearest_point_is_drawn_at_its_distance_from_0(d, bias):
    data = blobs.with_(n=40, d=d, margin=0.4).load()
    run = Timeline(FEASIBILITY, data, {"bias": bias, "away": True, "tolerance": 1e-6, "steps": 5000}).run()
    frame = run.at(run.last)
    panels = FEASIBILITY.scene(run.problem, frame.before, frame.state).panels
    titles = ["the hull of the rows y x", "the boundary w·x = 0", "z is the mean of", "weights", "so far"]
    assert [p.title for p in panels] == titles
    arrow = next(m for m in panels[0].marks if isinstance(m, Arrow))
    assert np.linalg.norm(arrow.end) == pytest.approx(np.linalg.norm(frame.state.z), rel=1e-4)
    listed = panels[2].marks[0].rows
    assert sum(row[1] for row in listed) == pytest.approx(1.0)


def test_it_says_that_a_row_of_the_class_minus_one_is_drawn_on_the_other_side():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load(), {"away": True, "tolerance": 0.02}).run()
    for frame in map(run.at, range(1, 7)):
        assert FEASIBILITY.scene(run.problem, frame.before, frame.state).panels[0].note == "y = -1: at -x"
        words, other = (
            run.algorithm.explain(run.problem, frame.before, frame.state),
            run.data.signs[frame.state.row] < 0,
        )
        assert (", drawn at -x)" in words) == other


def test_it_explains_its_steps():
    run = Timeline(FEASIBILITY, blobs.with_(n=60, margin=0.3).load(), {"away": True, "tolerance": 0.02}).run()
    said = {run.kind(t).phase: run.algorithm.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(7)}
    assert said["start"].startswith("z is the first y x, 2.811 from 0: no w of length 1 has a margin above that.")
    assert "on the wrong side. z goes" in said["pull"]
    assert "the nearest, with all rows right. z goes" in said["widen"]
    assert "the highest of those in z" in said["give back"]
    assert all(" had y w·x = " in said[phase] for phase in ("pull", "widen", "give back")), "before the step"
    assert all("γ* lies between" in words for words in said.values())
