"""Nearest neighbours: by hand, against scikit-learn, islands, units, leaving out, and their theorems."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Points, Segments
from algorithms.core.state import same
from algorithms.data import blobs, digits, iris, moons, penguins, wine
from algorithms.families.neighbours.nearest_neighbours import algorithm as file
from algorithms.toolbox import neighbours as toolbox
from algorithms.toolbox.neighbours import elected, nearest_others, rows_among

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_that_is_not_among_the_nearest_is_noticed",
    "update": "test_a_wrong_row_that_is_not_counted_or_counted_twice_is_noticed",
}
PLANTED = {"k = 1 has training error 0": "test_another_vote_than_that_of_the_nearest_is_noticed"}

NEAR = find("nearest_neighbours")
ONE, FEWEST, SORTED, AGAIN, ITSELF = NEAR.theorems
LINE = Dataset([[0.0], [1.0], [3.0], [3.5], [7.0]], [0, 0, 1, 0, 1], classes=("a", "b"))
PENGUINS = penguins.with_(columns=("bill_length_mm", "body_mass_g"), sample=120, hold_out=0.25)


def run_of(data, **parameters):
    problem = NEAR.problem(data, None, parameters)
    return problem, list(NEAR.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


def test_five_rows_on_a_line_by_hand():
    """Of 3 (b) the others are nearest 3.5 (a), 1 (a), 0 (a), 7 (b): it is wrong for all k."""
    problem, states = run_of(LINE, order="cyclic", most=3)
    assert [s.phase for s in states] == ["start", *["ask"] * 5, *["next k"] * 3, "choose"]
    assert states[3].neighbours.tolist() == [3, 1, 0]
    assert states[1].neighbours.tolist() == [1, 2, 3]
    assert states[3].wrong.tolist() == [1, 1, 1]
    assert states[5].wrong.tolist() == [3, 2, 2]  # 3.5 (a) has 3 (b) first, then a; 7 (b) has a first
    assert [s.best for s in states[6:]] == [1, 2, 2, 2]
    assert states[-1].k == 2


def test_of_equal_distances_the_first_row_and_of_equal_votes_the_first_class_wins():
    data = Dataset([[0.0], [-1.0], [1.0], [5.0]], [0, 1, 0, 1], classes=("a", "b"))
    problem, states = run_of(data, order="cyclic", most=2)
    assert states[1].neighbours.tolist() == [1, 2]
    assert elected(np.array([1, 0, 0]), 2).tolist() == [1, 0, 0]
    words = NEAR.explain(problem, states[0], states[1])
    assert "2 of the distances are equal." in words
    assert "The vote ties at k = 2." in words


@pytest.mark.parametrize("scale", ["as they are", "deviation", "range"])
@pytest.mark.parametrize("recipe", [PENGUINS, blobs.with_(k=3, n=90, hold_out=0.3)], ids=lambda r: r.name)
def test_scikit_learn_votes_alike_for_every_k(recipe, scale):
    data = recipe.load()
    problem, states = run_of(data, most=12, scale=scale)
    unit = {"as they are": 1.0, "deviation": data.X.std(axis=0), "range": np.ptp(data.X, axis=0)}[scale]
    far = data.held_out.X + 1e-6  # no two rows are as near
    probe = NEAR.problem(data, None, {"most": 12, "scale": scale})
    for k in (1, 2, 3, 7, 12):
        theirs = KNeighborsClassifier(k, algorithm="brute").fit(data.X / unit, data.y)
        mine = elected(data.y[file.rows_of(probe).nearest(far / unit, k)], len(data.classes))[:, -1]
        assert (mine == theirs.predict(far / unit)).all()


def test_leaving_one_out_is_that_of_scikit_learn():
    data = blobs.with_(k=3, n=30, spread=2.0).load()  # no two distances are equal
    _, states = run_of(data, most=9)
    for k in (1, 4):
        theirs = cross_val_predict(KNeighborsClassifier(k, algorithm="brute"), data.X, data.y, cv=LeaveOneOut())
        assert states[-1].wrong[k - 1] == (theirs != data.y).sum()


@pytest.mark.parametrize("tile", [8192, 32])
def test_the_nearest_are_found_exactly_where_single_precision_tells_nothing(tile, monkeypatch):
    monkeypatch.setattr(toolbox, "_TILE", tile)
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.standard_normal((70, 3)), 1e-9 * rng.standard_normal((70, 3)), np.ones((10, 3))])
    for shift in (0.0, 1e5):
        rows = rows_among(X + shift)
        for at in (rows.X, rows.X[:5] + 1e9):
            squares = ((at[:, None] - rows.X[None]) ** 2).sum(axis=2)
            assert (rows.nearest(at, 9) == squares.argsort(axis=1, kind="stable")[:, :9]).all()
    others = nearest_others(rows_among(X), 4)
    assert not (others == np.arange(150)[:, None]).any()
    assert others[148].tolist() == [140, 141, 142, 143]


# The lecture's points


def test_a_wrong_row_is_an_island_for_one_neighbour_and_none_for_many():
    data = blobs.with_(n=80, seed=3).load()
    row = int(np.abs(data.X - data.X[data.y == 0].mean(axis=0)).sum(axis=1).argmin())
    data = edited(data, [Label(row, 1)])
    problem, states = run_of(data)
    at = data.X[[row]] + 1e-3
    vote = [elected(data.y[file.rows_of(problem).nearest(at, k)], 2)[0, -1] for k in (1, 9)]
    assert vote == [1, 0]
    assert file.error(problem, replace(states[-1], k=1)) == 0
    assert states[-1].best > 1


def test_with_as_many_neighbours_as_rows_there_is_one_class():
    data = penguins.with_(sample=40, scale=True).load()
    problem, states = run_of(data, most=200)
    largest = int(np.bincount(data.y).argmax())
    assert (file.rows_of(problem).nearest(data.X, data.n) >= 0).all()
    assert (elected(data.y[file.rows_of(problem).nearest(data.X, data.n)], 3)[:, -1] == largest).all()
    assert len(states[-1].wrong) == data.n - 1


def test_other_units_are_other_neighbours_and_fewer_held_out_rows_are_wrong():
    run = Timeline(NEAR, PENGUINS).run()
    fork = run.fork(40, scale="deviation").run()
    assert fork.failures == []
    assert not same(fork.at(40).state.neighbours, run.at(40).state.neighbours)
    assert same(fork.at(40).state.neighbours, run_of(run.data, scale="deviation")[1][40].neighbours)
    held = [branch.problem.held_out for branch in (run, fork)]
    errors = [file.error(h, b.at(b.last).state) for h, b in zip(held, (run, fork))]
    assert errors[1] < 0.6 * errors[0]


# Its states


@pytest.mark.parametrize("t", [20, 45, 56])
def test_rows_changed_half_way_are_asked_as_they_are(t):
    run = Timeline(NEAR, moons.with_(n=40, noise=0.3)).run()
    assert run.last == 56
    for edits in ([Move(3, (0.0, 0.0))], [Label(5, 1)], [Add((0.5, 0.5), 1)], [Remove(1), Remove(7)]):
        data = edited(run.data, edits)
        fork = run.fork(t, data=data).run()
        assert fork.failures == []
        mine, theirs = fork.at(fork.last).state, run_of(data)[1][-1]
        assert mine.wrong.tolist() == theirs.wrong.tolist()
        assert (mine.best, mine.k) == (theirs.best, theirs.k)


# Its theorems


@pytest.mark.parametrize("scale", ["as they are", "deviation", "range"])
def test_they_hold_at_every_step(scale):
    equal = Dataset([[0.0, 1.0]] * 6 + [[2.0, 1.0]] * 5, [0, 0, 1] * 3 + [0, 1], classes=("a", "b"))
    for data in (iris.with_(sample=40).load(), wine.with_(sample=30).load(), equal):
        problem, states = run_of(data, scale=scale)
        for theorem in NEAR.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_equal_rows_of_two_classes_are_said():
    equal = Dataset([[0.0], [0.0], [1.0], [2.0]], [0, 1, 0, 1], classes=("a", "b"))
    problem, states = run_of(equal, most=2)
    first = next(s for s in states if s.tried == 1)
    assert ONE.verdict(problem, None, first).why == "two rows at distance 0 have different classes"
    assert "a row need not be its own nearest" in ITSELF.verdict(problem, None, first).why


@pytest.mark.parametrize(("second", "told"), [(1, "does not apply"), (0, "holds")])
def test_rows_whose_squared_distance_vanishes_are_as_equal(second, told):
    """0 and 1e-200 are not equal, and 0 away: the first of them is the nearest of both."""
    tiny = Dataset([[0.0], [1e-200], [1.0], [2.0]], [0, second, 0, 1], classes=("a", "b"))
    problem, states = run_of(tiny, most=2, order="cyclic")
    first = next(s for s in states if s.tried == 1)
    assert ONE.verdict(problem, None, first).status == told
    assert ITSELF.verdict(problem, None, first).why.startswith("some rows are at distance 0")
    assert "Nearest is row 0, 0 away but for rounding, a: " in NEAR.explain(problem, states[1], states[2])
    assert "but for rounding" not in NEAR.explain(problem, states[2], states[3])


def test_rows_are_told_apart_where_their_squared_distance_just_does_not_vanish():
    """1.5e-162 squared is 0 and 3e-162 squared is not."""
    for apart, told in ((1.5e-162, (True, True)), (3e-162, (False, False))):
        data = Dataset([[0.0, 1.0], [apart, 1.0], [1.0, 1.0], [2.0, 1.0]], [0, 1, 0, 1], classes=("a", "b"))
        assert file.has_rows_at_0(run_of(data, most=2)[0]) == told
    twice = Dataset([[0.0], [0.0], [1e-200], [1e-200], [1.0], [2.0]], [0, 0, 1, 1, 0, 1], classes=("a", "b"))
    assert file.has_rows_at_0(run_of(twice, most=2)[0]) == (True, True)


def test_a_row_that_is_not_among_the_nearest_is_noticed():
    problem, states = run_of(moons.with_(n=40, noise=0.3).load())
    before, after = states[20:22]
    assert SORTED.verdict(problem, before, after).status == "holds"
    farther = after.neighbours.copy()
    farther[-1] = next(i for i in range(39, 0, -1) if i not in {*farther, file.row_in_hand(problem, after)})
    for neighbours in (farther, after.neighbours[::-1], np.roll(after.neighbours, 1)):
        assert SORTED.verdict(problem, before, replace(after, neighbours=neighbours)).status == "fails"


@pytest.mark.parametrize("scale", ["deviation", "range"])
def test_features_over_the_square_of_their_unit_are_noticed(scale, monkeypatch):
    true = file.units
    monkeypatch.setattr(file, "units", lambda data, scale: true(data, scale) ** 2)
    run = Timeline(NEAR, wine, {"scale": scale}).run()
    assert SORTED.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_wrong_row_that_is_not_counted_or_counted_twice_is_noticed():
    problem, states = run_of(moons.with_(n=40, noise=0.3).load())
    t = next(t for t in range(1, 40) if (states[t].wrong != states[t - 1].wrong).any())
    before, after = states[t - 1], states[t]
    for share in (0, 2):
        planted = replace(after, wrong=before.wrong + share * (after.wrong - before.wrong))
        assert AGAIN.verdict(problem, before, planted).status == "fails"


@pytest.mark.parametrize("vote", [lambda labels, classes: labels * 0, lambda labels, classes: labels[..., ::-1]])
def test_a_vote_that_does_not_count_the_nearest_is_noticed(vote, monkeypatch):
    """Always the first class, or that of the farthest ones."""
    monkeypatch.setattr(file, "elected", vote)
    run = Timeline(NEAR, moons.with_(n=40, noise=0.3), {"most": 5}).run()
    assert AGAIN.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_where_no_row_is_left_that_was_asked_it_starts_afresh():
    run = Timeline(NEAR, moons.with_(n=12, noise=0.3), {"order": "cyclic"})
    run.advance(3)
    fork = run.fork(2, data=edited(run.data, [Remove(0), Remove(0)]))
    assert "none of the rows that were asked is left" in fork.from_start
    assert not fork.run().troubles


def test_another_k_than_the_best_is_noticed():
    problem, states = run_of(moons.with_(n=40, noise=0.3).load())
    last = states[-1]
    worst = 1 + int(last.wrong.argmax())
    assert FEWEST.verdict(problem, None, last).status == "holds"
    assert FEWEST.verdict(problem, None, replace(last, best=worst)).status == "fails"


def test_another_vote_than_that_of_the_nearest_is_noticed():
    problem, states = run_of(moons.with_(n=40, noise=0.3).load())
    first = next(s for s in states if s.tried == 1)
    assert ONE.verdict(problem, None, first).status == "holds"
    assert ONE.verdict(problem, None, replace(first, k=9)).status == "fails"
    assert ITSELF.verdict(problem, None, replace(first, wrong=first.wrong * 0)).status == "fails"


# What a person reads


def test_the_row_in_hand_is_joined_to_its_neighbours_and_the_curves_run_along_k():
    run = Timeline(NEAR, moons.with_(n=40, noise=0.3)).run()
    frame = run.at(12)
    panel = NEAR.scene(run.problem, frame.before, frame.state).panels[0]
    joined = next(mark for mark in panel.marks if isinstance(mark, Segments))
    assert len(joined.end) == 15
    curve = next(curve for curve in NEAR.curves if curve.name == "left-out error")
    assert curve.variable.name == "k"
    last = run.at(run.last - 1).state
    assert last.k == 15
    assert curve.measure(run.problem, last) == last.wrong[-1] / 40


def test_words_of_every_phase():
    run = Timeline(NEAR, digits.with_(sample=60)).run()
    words = [NEAR.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(run.last + 1)]
    assert words[0].startswith("Nothing is fitted: 60 rows of 64 features are kept, 3840 numbers.")
    assert "Nearest is row" in words[5]
    assert "Training error would have chosen k = 1, with 0." in words[-1]


def test_what_cannot_be_compared_is_refused_in_words():
    with pytest.raises(Refused, match="take a sample"):
        NEAR(blobs.with_(n=4001).load())
    with pytest.raises(Refused, match="scale"):
        NEAR(Dataset([[1e140], [-1e140]], [0, 1], classes=("a", "b")))


def test_along_k_the_left_out_error_is_that_of_all_rows():
    """While rows are asked one by one their share at k = 1 would go up and down beside the line over all k."""
    problem, states = run_of(LINE, order="cyclic", most=3)
    curve = next(curve for curve in NEAR.curves if curve.name == "left-out error")
    values = [curve.value(problem, state) for state in states]
    assert [value == value for value in values] == [state.phase in ("next k", "choose") for state in states]
    assert values[-1] == states[-1].wrong[states[-1].k - 1] / 5


def test_a_row_is_marked_and_joined_while_it_is_asked_alone():
    """A k and the choice are about all rows: a row marked there would draw the eye to one that has no part in it."""
    problem, states = run_of(LINE, order="cyclic", most=3)
    for before, after in zip(states, states[1:]):
        marks = NEAR.scene(problem, before, after).panels[0].marks
        asking = after.phase == "ask"
        assert any(isinstance(mark, Segments) for mark in marks) == asking
        assert next(mark.ringed for mark in marks if isinstance(mark, Points)).sum() == int(asking)
