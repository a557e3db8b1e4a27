"""Naive Bayes: by hand, against scikit-learn, Laplace's rule and what it mends, and its theorems."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Region
from algorithms.core.state import same
from algorithms.data import badges, digits, emails, iris, penguins
from algorithms.families.bayes import naive_bayes as file
from algorithms.families.bayes.shared.generative import Bernoulli, posterior
from algorithms.families.bayes.shared.generative_pictures import evidence

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_counted_in_the_wrong_class_or_twice_is_noticed",
    "update": "test_counts_that_are_half_as_large_or_forget_a_row_are_noticed",
}
SILENT = {  # in the run that opens, and why
    "s = 0: P(x) = 0 where x is new to every class": "s = 1, so that no chance is 0",
}

NAIVE = find("naive_bayes")
LIKELIEST, LINEAR, NEVER, ONE, COUNTED = NAIVE.theorems
MAILS = emails.with_(seed=7, hold_out=0.3)
SMALL = Dataset([[1, 0, 1], [1, 1, 0], [0, 0, 1], [0, 1, 1]], [1, 1, 0, 0], classes=("ham", "spam"))


def run_of(data, **parameters):
    problem = NAIVE.problem(data, None, parameters)
    return problem, list(NAIVE.start(problem))


def model_of(problem, state):
    return file.estimates(problem, state)


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


def test_four_rows_by_hand():
    """spam 101 and 110: ones (2, 1, 1), with Laplace's rows (3, 2, 2)/4; ham 001 and 011: (1, 2, 3)/4."""
    problem, states = run_of(SMALL, order="cyclic")
    assert states[1].sums.tolist() == [[0, 0, 0], [1, 0, 1]]
    assert states[-1].counts.tolist() == [2, 2]
    of = model_of(problem, states[-1])
    assert of.p.tolist() == [[0.25, 0.5, 0.75], [0.75, 0.5, 0.5]]
    W, b = of.linear()
    assert W[1] - W[0] == pytest.approx([np.log(9), 0, -np.log(3)])
    assert b[1] - b[0] == pytest.approx(np.log((1 / 4) / (3 / 4)) + np.log((1 / 2) / (1 / 4)))


def test_laplaces_rule_gives_nothing_of_three_one_in_five():
    problem, states = run_of(Dataset([[0], [0], [0], [1]], [0, 0, 0, 1], classes=("a", "b")))
    assert model_of(problem, states[-1]).p[0, 0] == 1 / 5


@pytest.mark.parametrize("smoothing", [1.0, 0.1, 30.0])
@pytest.mark.parametrize("recipe", [MAILS, badges.with_(map="letters:2"), digits], ids=lambda r: r.name)
def test_scikit_learn_has_the_same_bernoulli_model(recipe, smoothing):
    data = recipe.load()
    problem, states = run_of(data, smoothing=smoothing, batch=7)
    X = file.rows_of(problem)
    theirs = BernoulliNB(alpha=smoothing, binarize=None).fit(X, data.y)
    of = model_of(problem, states[-1])
    assert np.allclose(np.log(of.p), theirs.feature_log_prob_, rtol=1e-12, atol=1e-14)
    assert np.allclose(posterior(of.scores(X)).T, theirs.predict_proba(X), rtol=1e-9, atol=1e-12)
    if data.held_out is not None:
        assert file.error(problem.held_out, states[-1]) == pytest.approx(
            1 - theirs.score(file.rows_of(problem.held_out), data.held_out.y)
        )


@pytest.mark.parametrize("recipe", [iris, penguins], ids=lambda r: r.name)
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_scikit_learn_has_the_same_gaussian_model(recipe, order):
    data = recipe.with_(scale=True).load()  # of variance 1, so that both add the same
    problem, states = run_of(data, model="gaussian", order=order)
    theirs = GaussianNB().fit(data.X, data.y)
    of = model_of(problem, states[-1])
    assert np.allclose(of.means + data.X.mean(axis=0), theirs.theta_, atol=1e-12)
    assert np.allclose(of.covariances, theirs.var_, rtol=1e-12)
    assert np.allclose(posterior(file.scores(problem, states[-1])).T, theirs.predict_proba(data.X), atol=1e-10)


def test_of_made_emails_the_chances_come_out():
    data = emails.with_(n=20_000).load()
    problem, states = run_of(data, batch=1000)
    of = model_of(problem, states[-1])
    assert np.abs(of.p - data.truth["chances"]).max() < 0.02
    assert of.share[1] == pytest.approx(data.truth["p"], abs=0.02)


# What was never seen


def test_a_word_that_training_never_had_rules_an_email_out_and_laplace_lets_it_in():
    data = MAILS.load()
    assert data.X[:, -1].sum() == 0
    held = np.flatnonzero(data.held_out.X[:, -1])
    assert len(held) == 1
    run = Timeline(NAIVE, data, {"smoothing": 0.0}).run()
    last = run.at(run.last).state
    assert np.flatnonzero(file.ruled_out(run.problem.held_out, last)).tolist() == held.tolist()
    assert run.curve("held-out rows with P = 0")[1][-1] == 1
    fork = run.fork(run.last, smoothing=1.0)
    assert fork.curve("held-out rows with P = 0")[1][-1] == 0
    assert fork.curve("held-out error")[1][-1] < run.curve("held-out error")[1][-1]


# Its states


@pytest.mark.parametrize("model", ["bernoulli", "gaussian, shared variances"])
def test_rows_changed_half_way_are_counted_as_they_are(model):
    run = Timeline(NAIVE, penguins.with_(scale=True, sample=40), {"model": model})
    run.advance(21)
    place = tuple(run.data.X[3] + 3.0)
    for edits in ([Move(3, place)], [Label(5, 0)], [Add(place, 1)], [Remove(1), Remove(7)]):
        data = edited(run.data, edits)
        fork = run.fork(20, data=data).run()
        assert fork.failures == []
        last = run_of(data, model=model)[1][-1]
        assert np.allclose(fork.at(fork.last).state.sums, last.sums, atol=1e-12)


def test_a_fork_to_another_model_is_as_if_it_had_always_been():
    run = Timeline(NAIVE, iris.with_(sample=80))
    run.advance(71)
    for changed in ({"model": "gaussian"}, {"threshold": "mean"}, {"order": "cyclic"}):
        fork = run.fork(70, **changed)
        assert same(fork.at(70).state.sums, run_of(run.data, **changed)[1][70].sums)
        assert fork.run().failures == []


# Its theorems


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 1000.0])
@pytest.mark.parametrize("model", ["bernoulli", "gaussian", "gaussian, shared variances"])
def test_they_hold_at_every_step(model, smoothing):
    for recipe in (MAILS, iris.with_(sample=20)):
        problem, states = run_of(recipe.load(), model=model, smoothing=smoothing)
        for theorem in NAIVE.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_which_of_them_apply_is_said():
    problem, states = run_of(iris.load(), model="gaussian")
    assert "quadratic" in LINEAR.verdict(problem, None, states[-1]).why
    problem, states = run_of(MAILS.load(), smoothing=0.0)
    assert "is 0 or 1" in LINEAR.verdict(problem, None, states[-1]).why
    assert NEVER.verdict(problem, None, states[-1]).sides.values == (1, 1)
    problem, states = run_of(MAILS.load())
    assert "no chance is 0" in NEVER.verdict(problem, None, states[-1]).why
    assert "2^64" in ONE.verdict(*run_of(digits.with_(sample=40).load())[:1], None, states[-1]).why


def test_counts_that_are_half_as_large_or_forget_a_row_are_noticed():
    for model in ("bernoulli", "gaussian, shared variances"):
        problem, states = run_of(MAILS.load(), model=model)
        before, after = states[40:42]
        for share in (0.5, 0.0, 2.0):
            sums = before.sums + share * (after.sums - before.sums)
            planted = replace(after, sums=sums)
            assert LINEAR.verdict(problem, before, planted).status == "fails"
            assert COUNTED.verdict(problem, before, planted).status == "fails"
            if model == "bernoulli":
                assert LIKELIEST.verdict(problem, before, planted).status == "fails"


def test_a_row_counted_in_the_wrong_class_or_twice_is_noticed():
    problem, states = run_of(MAILS.load())
    before, after = states[40:42]
    for sums, counts in (
        (before.sums + (after.sums - before.sums)[::-1], before.counts + (after.counts - before.counts)[::-1]),
        (2 * after.sums - before.sums, 2 * after.counts - before.counts),
    ):
        planted = replace(after, sums=sums, counts=counts)
        for theorem in (LINEAR, LIKELIEST, COUNTED):
            assert theorem.verdict(problem, before, planted).status == "fails"
    assert ONE.verdict(problem, before, replace(after, counts=after.counts + 1)).status == "fails"


@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_chances_that_are_estimated_otherwise_than_by_counting_are_noticed(smoothing, monkeypatch):
    """Smoothed twice over, or pulled towards ½."""
    problem, states = run_of(MAILS.load(), smoothing=smoothing)
    for planted in (lambda p: 0.9 * p + 0.05, lambda p: p**1.1):
        of = file.estimates(problem, states[-1])
        monkeypatch.setattr(file, "estimates", lambda *_, of=of, planted=planted: replace(of, p=planted(of.p)))
        assert LIKELIEST.verdict(problem, states[-2], states[-1]).status == "fails"
        monkeypatch.undo()


@pytest.mark.parametrize("model", ["gaussian", "gaussian, shared variances"])
@pytest.mark.parametrize("planted", [{"means": 1.1}, {"covariances": 1.3}])
def test_means_and_variances_that_are_not_those_of_the_rows_are_noticed(model, planted, monkeypatch):
    problem, states = run_of(penguins.with_(scale=True, sample=60).load(), model=model)
    assert COUNTED.verdict(problem, states[-2], states[-1]).status == "holds"
    of = file.estimates(problem, states[-1])
    wrong = replace(of, **{name: times * getattr(of, name) for name, times in planted.items()})
    monkeypatch.setattr(file, "estimates", lambda *_: wrong)
    assert COUNTED.verdict(problem, states[-2], states[-1]).status == "fails"


def test_a_chance_that_is_0_where_a_row_has_it_is_noticed():
    problem, states = run_of(MAILS.load(), smoothing=0.0)
    planted = replace(states[-1], sums=states[-1].sums * (np.arange(8) != 4))
    assert NEVER.verdict(problem, None, planted).status == "fails"


# What a person reads


def test_words_name_the_row_what_was_said_of_it_and_what_moved():
    run = Timeline(NAIVE, MAILS).run()
    frame = run.at(30)
    words = NAIVE.explain(run.problem, frame.before, frame.state)
    assert words.startswith("Row ")
    assert ", email had P = 0.988, right" in words
    assert " goes from " in words
    assert NAIVE.explain(run.problem, None, run.at(0).state).startswith("Nothing is counted yet.")


def test_pictures_of_rows_are_shown_by_class_as_images():
    run = Timeline(NAIVE, digits.with_(sample=60)).run()
    frame = run.at(run.last)
    titles = [panel.title for panel in NAIVE.scene(run.problem, frame.before, frame.state).panels]
    assert any(title.startswith("P(1 | ") for title in titles)


@pytest.mark.parametrize(
    ("added", "axis"), [(0.0, "of the rows counted"), (1.0, "(ones + 1)/(rows + 2)"), (0.5, "(ones + 0.5)/(rows + 1)")]
)
def test_bars_say_what_was_added_to_the_counts(added, axis):
    problem = NAIVE.problem(emails.load(), None, {"smoothing": added})
    *_, before, last = NAIVE.start(problem)
    panels = NAIVE.scene(problem, before, last).panels
    (bars,) = [panel for panel in panels if panel.title == "how often each is 1, by class"]
    assert bars.axes[1] == axis


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_without_a_variance_are_refused_and_as_0_and_1_are_counted(size):
    data = Dataset([[size], [-size], [size / 2]], [0, 1, 0], classes=("a", "b"))
    with pytest.raises(Refused, match="scale"):
        NAIVE(data, model="gaussian")
    assert list(NAIVE(data))[-1].sums.tolist() == [[2.0], [0.0]]


def test_between_rows_of_0_and_1_the_stage_has_the_odds_of_the_theorem():
    """Half-way between two places the log odds are half-way, as those of a line are."""
    run = Timeline(NAIVE, MAILS).run()
    frame = run.at(run.last)
    panels = NAIVE.scene(run.problem, frame.before, frame.state).panels
    (tint,) = [mark for panel in panels for mark in panel.marks if isinstance(mark, Region)]
    ends = np.random.default_rng(0).uniform(-1, 2, (2, 5, run.data.d))
    low, half, high = (np.log(share[:, 1] / share[:, 0]) for share in map(tint.score, (ends[0], ends.mean(0), ends[1])))
    assert half == pytest.approx((low + high) / 2)
    X = run.data.X
    assert tint.score(X)[:, 1] == pytest.approx(posterior(file.scores(run.problem, frame.state))[1])


def test_of_two_classes_the_evidence_is_for_the_second_as_w_is():
    data = emails.load()
    of = Bernoulli(np.array([0.5, 0.5]), np.stack([np.full(data.d, 0.2), np.full(data.d, 0.6)]))
    for own in (0, 1):
        (table,) = evidence(data, np.ones(data.d), own, of)
        assert table.marks[0].columns == ("feature", "is", f"for {data.classes[1]}")
        assert [row[2] for row in table.marks[0].rows] == pytest.approx([np.log(3)] * len(table.marks[0].rows))


def test_the_bound_says_what_is_moved_and_of_what_l_and_the_prior_are():
    """Of -324.6 a page has to say that it is the same sum, with p moved."""
    problem, states = run_of(MAILS.load())
    sides = LIKELIEST.verdict(problem, states[-2], states[-1]).sides
    assert sides.names == ("the same, p 10% nearer ½", "ln L + ln prior")
    assert LIKELIEST.proof[-1] == "beside it stands the same sum with every p moved a tenth of the way to ½"
    assert "given their classes" in NAIVE.symbols["L"][0]
    assert "up to its constant" in NAIVE.symbols["prior"][0]
