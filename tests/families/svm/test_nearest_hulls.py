"""The nearest points of two hulls: worked by hand, against SMO and scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from sklearn.svm import SVC

import algorithms.families.svm.nearest_hulls.theorems as theorems
from algorithms import Add, Label, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Labels
from algorithms.data import blobs, iris, moons, penguins
from algorithms.families.svm.nearest_hulls.hull_pairs import chosen, given, heights, room_to_give
from algorithms.families.svm.shared.hull_distance import hull_distance
from algorithms.families.svm.smo.algorithm import solution_at
from tests.families.ends import end_of

HULLS = find("nearest_hulls")
ENCLOSED, WIDTH, NEAR_W, NEAR_B, DUAL, FALLS, INSIDE, CHOICE, ON_THE_WAY, FOOT = HULLS.theorems

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_another_row_than_the_lowest_is_seen",
    "update": "test_a_step_of_another_length_is_seen",
}
PLANTED = {
    FOOT.statement: "test_a_foot_that_is_not_on_the_plane_is_seen",
}

SIGNS = ("-", "+")
BLOBS = blobs.with_(n=60, seed=10).load()
PETALS = iris.with_(positive="setosa", columns=("petal_length_cm", "petal_width_cm")).load()
OVERLAPPING = moons.with_(n=40).load()
BOTH = {"moves": "both points", "away": False}


def run_of(data, **parameters):
    return Timeline(HULLS, data, parameters).run()


def steps_of(data, **parameters):
    problem = HULLS.problem(data, None, parameters)
    states = list(HULLS.start(problem))
    return problem, list(zip([None, *states], states))


def fails(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status == "fails"


# The algorithm


def test_three_rows_by_hand():
    """q is at 0, p half-way between (2, 1) and (2, -1) where it begins: nothing is to be moved, and 2/‖w‖ = 2."""
    data = Dataset([[2.0, 1.0], [2.0, -1.0], [0.0, 0.0]], [1, 1, 0], classes=SIGNS)
    run = run_of(data)
    assert [run.kind(t).phase for t in range(run.last + 1)] == ["start", "nearest"]
    state = run.at(0).state
    assert (state.p.tolist(), state.q.tolist(), state.w.tolist()) == ([2, 0], [0, 0], [1, 0, -1])
    assert "y f/‖w‖ >= 1, and no plane has more than ‖p - q‖/2 = 1" in run.stopped.reason


def test_a_pull_by_hand():
    """From p = (2, 1) to (2, -1) with q = 0: the nearest to 0 on the way is (2, 0), half of it."""
    data = Dataset([[2.0, 1.0], [2.0, -1.0], [0.0, 0.0]], [1, 1, 0], classes=SIGNS)
    start, pull, *_ = HULLS(data, start="first rows")
    assert (start.p.tolist(), start.shares.tolist()) == ([2, 1], [1, 0, 1])
    assert (pull.phase, pull.plus, pull.minus, pull.far) == ("pull", 1, -1, 0.5)
    assert (pull.p.tolist(), pull.shares.tolist()) == ([2, 0], [0.5, 0.5, 1])


def test_petals_have_a_width_of_1304_and_two_rows_carry_it():
    run = run_of(PETALS, tolerance=1e-8)
    state = run.at(run.last).state
    assert 2 / np.linalg.norm(state.w[:-1]) == pytest.approx(1.304, abs=5e-4)
    assert np.count_nonzero(state.shares) == 2


@pytest.mark.parametrize("moves", ["one point", "both points"])
@pytest.mark.parametrize("data", [BLOBS, penguins.with_(positive="Gentoo", scale=True).load()], ids=["blobs", "four"])
def test_it_comes_to_the_hard_margin_of_scikit_learn_and_of_smo(data, moves):
    end, _ = end_of(HULLS(data, moves=moves, tolerance=1e-7, steps=20_000))
    w = end.w
    theirs = SVC(C=1e10, kernel="linear", tol=1e-8).fit(data.X, data.y)
    assert w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-4, abs=1e-4)
    smo = find("smo")
    problem = smo.problem(data, None, {"kernel": "linear", "margin": "hard", "prune": False, "tol": 1e-6})
    state, _ = end_of(smo.start(problem))
    theirs_w = np.append((state.alpha * data.signs) @ data.X, solution_at(problem, state).bias)
    assert w == pytest.approx(theirs_w, rel=1e-4, abs=1e-4)


def test_what_the_theorems_compare_with_is_the_hard_margin():
    for data in (BLOBS, PETALS):
        theirs = SVC(C=1e10, kernel="linear", tol=1e-8).fit(data.X, data.y)
        best = hull_distance(data)
        assert best.w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-6)
        assert best.upper == pytest.approx(2 / np.linalg.norm(theirs.coef_), rel=1e-6)
    assert hull_distance(OVERLAPPING).meets


def test_from_the_class_means_the_least_margin_rises_and_the_mean_one_falls():
    run = run_of(PETALS)
    least, mean = ({c.name: c for c in HULLS.curves}[name].measure for name in ("margin", "mean margin"))
    first, last = run.at(0).state, run.at(run.last).state
    assert least(run.problem, last) > least(run.problem, first)
    assert mean(run.problem, first) == pytest.approx(np.linalg.norm(first.p - first.q) / 2)
    assert mean(run.problem, last) < mean(run.problem, first)


def test_where_hulls_meet_it_says_so_and_claims_nothing_of_margins():
    run = run_of(OVERLAPPING)
    assert run.stopped.reason.startswith("the hulls meet")
    frame = run.at(run.last)
    of = {v.theorem.statement: v for v in run.verdicts(frame)}
    for theorem in (ENCLOSED, NEAR_W, NEAR_B, DUAL):
        assert of[theorem.statement].why == "the hulls meet: nothing separates the classes strictly"


def test_equal_rows_of_both_classes_are_hulls_that_meet():
    data = Dataset([[1.0, 1.0], [1.0, 1.0]], [0, 1], classes=SIGNS)
    assert run_of(data).stopped.reason.startswith("the hulls meet")


def test_rows_of_one_class_are_refused():
    data = Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1], classes=SIGNS)
    with pytest.raises(Refused, match="no row of data is -: it takes two hulls"):
        HULLS.problem(data)


@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_the_size_of_numbers_does_not_matter(scale):
    data = Dataset(scale * BLOBS.X, BLOBS.y, classes=SIGNS)
    run = run_of(data)
    assert run.at(run.last).state.shares == pytest.approx(run_of(BLOBS).at(run.last).state.shares, abs=1e-6)
    assert not run.failures


def test_without_giving_back_it_zigzags():
    assert end_of(HULLS(BLOBS))[0].t < 50
    assert end_of(HULLS(BLOBS, away=False, steps=200))[1].startswith("step 200 was the last")


def test_a_row_with_all_of_its_class_holds_the_other_point_back_from_nothing():
    """Both are to give back, and one class is at a single row: the other one still goes."""
    shares, signs = np.array([1.0, 0.5, 0.5]), np.array([1.0, -1, -1])
    assert room_to_give(shares, (0, 1)) == -1.0
    left = given(shares, signs, (0, 1), -1.0)
    assert left.tolist() == [1.0, 0.0, 1.0]


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"moves": "both points"}, {**BOTH, "steps": 60, "start": "first rows"}])
@pytest.mark.parametrize(
    "data", [BLOBS, iris.with_(positive="setosa").load(), OVERLAPPING], ids=["blobs", "iris", "moons"]
)
def test_no_theorem_fails_at_any_step(data, parameters):
    problem, steps = steps_of(data, **parameters)
    for theorem in HULLS.theorems:
        assert not any(fails(theorem, problem, before, after) for before, after in steps), theorem.statement


def test_another_row_than_the_lowest_is_seen():
    problem, steps = steps_of(BLOBS, away=False, steps=12)
    for before, after in steps[1:]:
        along = heights(BLOBS.X, BLOBS.signs, before.p, before.q)
        second = int(np.argsort(along)[1])
        plus, minus = (second, -1) if BLOBS.signs[second] > 0 else (-1, second)
        assert not fails(CHOICE, problem, before, after)
        assert fails(CHOICE, problem, before, after.replaced(plus=plus, minus=minus))


def test_the_lowest_row_is_worked_out_by_the_theorem_itself(monkeypatch):
    def second(heights, signs, both):
        return [int(np.argsort(heights)[1])]

    for name in ("hull_pairs", "theorems"):
        monkeypatch.setattr(f"algorithms.families.svm.nearest_hulls.{name}.lowest", second, raising=False)
    run = Timeline(HULLS, blobs.with_(n=20, seed=10), {"away": False, "steps": 20}).run()
    assert CHOICE.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_row_pulled_in_where_another_should_give_back_is_seen():
    problem, steps = steps_of(BLOBS)
    before, after = next((b, a) for b, a in steps if a.phase == "give back")
    along = heights(BLOBS.X, BLOBS.signs, before.p, before.q)
    pull = chosen(along, BLOBS.signs, before.shares, float((before.p - before.q) @ (before.p - before.q)), False, False)
    assert not fails(CHOICE, problem, before, after)
    assert fails(CHOICE, problem, before, before.after("pull", plus=pull.plus, minus=pull.minus))


@pytest.mark.parametrize("times", [0.5, 0.9, 1.1])
def test_a_step_of_another_length_is_seen(times):
    problem, steps = steps_of(BLOBS, steps=20)
    for before, after in steps[1:]:
        if after.far == 1 or after.shares[max(after.plus, after.minus)] == 0:
            continue  # as far as the hulls reach
        p, q = (was + times * (now - was) for was, now in ((before.p, after.p), (before.q, after.q)))
        assert not fails(ON_THE_WAY, problem, before, after)
        assert fails(ON_THE_WAY, problem, before, after.replaced(p=p, q=q))


def test_a_step_the_other_way_makes_the_segment_longer():
    problem, steps = steps_of(BLOBS, steps=20)
    for before, after in steps[1:]:
        assert fails(FALLS, problem, before, after.replaced(p=2 * before.p - after.p, q=2 * before.q - after.q))


def test_points_outside_of_the_hulls_are_seen():
    problem, steps = steps_of(BLOBS)
    before, last = steps[-1]
    nearer = last.replaced(p=0.8 * last.p + 0.2 * last.q)
    for theorem in (ENCLOSED, NEAR_W, NEAR_B, INSIDE):
        assert not fails(theorem, problem, before, last)
        assert fails(theorem, problem, before, nearer), theorem.statement


def test_shares_that_are_not_those_of_p_and_q_are_seen():
    problem, steps = steps_of(BLOBS)
    last = steps[-1][1]
    for shares in (np.roll(last.shares, 1), 1.01 * last.shares, -last.shares):
        assert fails(INSIDE, problem, None, last.replaced(shares=shares))
        assert fails(DUAL, problem, None, last.replaced(shares=shares))


def test_a_run_that_ends_too_soon_is_seen():
    problem, steps = steps_of(BLOBS)
    assert fails(WIDTH, problem, steps[4][1], steps[4][1].after("nearest"))


def test_a_foot_that_is_not_on_the_plane_is_seen(monkeypatch):
    problem, steps = steps_of(BLOBS, steps=5)
    before, after = steps[2]
    assert not fails(FOOT, problem, before, after)
    monkeypatch.setattr(theorems, "foot_of", lambda x, weights, offset: x - (x @ weights + offset) * weights)
    assert fails(FOOT, problem, before, after)


# Edits, forks and what is seen


def test_rows_that_stay_keep_their_shares():
    run = run_of(BLOBS)
    state = run.at(12).state
    gone = int(np.flatnonzero(state.shares * (BLOBS.signs > 0))[0])
    fork = run.fork(12, data=edited(BLOBS, [Remove(gone), Add((9.0, -9.0), 1)]))
    left = fork.at(12).state.shares
    for sign in (1, -1):
        assert left[fork.data.signs == sign].sum() == pytest.approx(1)
    fork.run()
    assert not fork.failures
    assert fork.at(fork.last).state.phase == "nearest"


def test_a_row_of_another_class_takes_no_share_with_it():
    run = run_of(BLOBS)
    row = int(run.at(run.last).state.shares.argmax())
    fork = run.fork(10, data=edited(BLOBS, [Label(row, 1 - int(BLOBS.y[row]))]))
    shares = fork.at(10).state.shares
    assert shares[row] == 0 or np.count_nonzero(shares[fork.data.signs == fork.data.signs[row]]) == 1
    fork.run()
    assert not fork.failures


def test_a_finer_tolerance_half_way_goes_on():
    run = run_of(BLOBS, tolerance=0.5)
    fork = run.fork(run.last, tolerance=1e-6).run()
    assert fork.last > run.last
    assert not fork.failures


def test_p_is_dragged_to_the_row_that_is_nearest():
    run = run_of(BLOBS)
    frame = run.at(5)
    panel = HULLS.scene(run.problem, frame.before, frame.state).panels[0]
    handles = panel.marks[-1]
    moved = handles.moved(frame.state, 0, BLOBS.X[58] + 0.01)
    assert moved.p == pytest.approx(BLOBS.X[58])
    assert moved.q == pytest.approx(frame.state.q)
    assert not fails(INSIDE, run.problem, None, moved)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_hulls_are_drawn_at_their_distance(d):
    data = blobs.with_(n=30, d=d, margin=0.4).load()
    run = run_of(data, tolerance=1e-6, steps=5000)
    frame = run.at(run.last)
    panels = HULLS.scene(run.problem, frame.before, frame.state).panels
    titles = ["two hulls, and the plane between", "rows that p and q are made of", "weights", "so far"]
    if d > 2:
        titles[:1] = ["the plane between two hulls", "the hulls along w* and across it"]
    assert [p.title for p in panels] == titles
    ends = next(m for m in panels[d > 2].marks if isinstance(m, Labels)).at
    assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(0.8, rel=1e-4)


def test_it_explains_its_steps():
    run = run_of(BLOBS)
    said = {
        run.kind(t).phase: HULLS.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(run.last + 1)
    }
    assert said["start"].startswith("p and q are the means of the classes")
    assert ", the lowest of all rows." in said["pull"]
    assert ", the deepest with λ > 0." in said["give back"]
    assert all("which had y f/‖w‖ = " in said[phase] for phase in ("pull", "give back")), "before the step"
    assert "the margin is as wide as the hulls are apart. p and q are means of 4 rows." in said["nearest"]
