"""The majority vote: by hand and against SciPy's binomial, its copies, and its theorems broken on purpose."""

from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import binom

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core import Points
from algorithms.core.state import same
from algorithms.data import iris
from algorithms.families.ensembles.majority_vote import algorithm as file
from algorithms.families.ensembles.majority_vote.binomials import binomial, half_or_more, joined
from algorithms.families.ensembles.majority_vote.voters import answers

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_voter_that_copies_its_neighbour_is_noticed",
    "update": "test_a_voter_that_joins_half_way_or_is_always_right_is_noticed",
}
VOTE = find("majority_vote")
HOEFFDING, BINOMIAL, EVEN, ODD, MORE, COPIES, COUNTED, TWICE = VOTE.theorems
PLANTED = {  # a state nearby is never as far off
    HOEFFDING.statement: "test_voters_that_are_worse_than_they_should_be_break_the_bounds",
    MORE.statement: "test_voters_that_are_worse_than_they_should_be_break_the_bounds",
    TWICE.statement: "test_errors_that_are_forgotten_break_the_factor_of_two",
}
SILENT = {  # in the run that opens, and why
    "copies: P(majority wrong) = ρp + (1 - ρ) P(n)": "nobody copies: ρ = 0",
}


def run_of(**parameters):
    """The problem and its states."""
    problem = VOTE.problem(parameters=parameters)
    return problem, list(VOTE.start(problem))


def of_voters(n, phase="join", **parameters):
    """The problem, and the state when n voters are there with the one before."""
    problem, states = run_of(voters=n, **parameters)
    return problem, *(states[-3:-1] if phase == "join" else states[-2:])


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# By hand


def test_the_lecture_s_seven_voters():
    problem, before, joins = of_voters(7)
    assert joins.chances.round(4).tolist() == [0.0280, 0.1306, 0.2613, 0.2903, 0.1935, 0.0774, 0.0172, 0.0016]
    assert HOEFFDING.verdict(problem, before, joins).sides.values == pytest.approx((0.290, 0.869, 0.932), abs=5e-4)


def test_more_help_over_odd_n_only():
    """The lecture's .4 .352 .317 .290 .267; between them the even ones lie above: .64 and, of eight, .406."""
    tails = [half_or_more(binomial(n, 0.4)) for n in range(1, 10)]
    assert tails[::2] == pytest.approx([0.4, 0.352, 0.317, 0.290, 0.267], abs=5e-4)
    assert tails[1::2] == pytest.approx([0.64, 0.525, 0.456, 0.406], abs=5e-4)


def test_two_rounds_by_hand():
    """Voters wrong with chances drawn: a round is lost where half of them or more are wrong."""
    problem, states = run_of(voters=3, rounds=5, seed=3)
    drawn = np.stack([np.random.default_rng((3, voter)).random(5) < 0.4 for voter in (1, 2, 3)])
    assert [s.phase for s in states] == ["start", *["join", "vote"] * 3]
    assert [s.iteration for s in states] == [0, 1, 1, 2, 2, 3, 3]
    assert states[-1].wrong.tolist() == drawn.sum(axis=0).tolist()
    assert states[-1].errors.tolist() == drawn.sum(axis=1).tolist()
    share = next(c for c in VOTE.curves if c.name == "rounds, odd n").measure(problem, states[-1])
    assert share == (drawn.sum(axis=0) >= 2).mean()


# Against SciPy


@pytest.mark.parametrize("p", [0.0, 1e-160, 0.05, 0.5, 0.7, 1.0])
def test_the_chances_are_scipy_s(p):
    chances = np.ones(1)
    for n in range(1, 120):
        chances = joined(chances, p)
        if n < 5 or n % 19 == 0:
            assert chances == pytest.approx(binom.pmf(np.arange(n + 1), n, p), rel=1e-9, abs=1e-300)
    assert binomial(501, p) == pytest.approx(binom.pmf(np.arange(502), 501, p), rel=1e-8, abs=1e-100)


def test_over_many_seeds_the_rounds_come_to_the_chance():
    (expectation,) = VOTE.expectations
    for rho in (0.0, 0.3):
        problem = VOTE.problem(parameters={"voters": 5, "rho": rho})
        shares = []
        for seed in range(60):
            *_, last = VOTE.start(VOTE.problem(parameters={"voters": 5, "rho": rho, "seed": seed}))
            shares.append(expectation.measure(problem, last))
        error = np.std(shares, ddof=1) / np.sqrt(60)
        assert np.mean(shares) == pytest.approx(expectation.bound(problem, {}), abs=3 * error)


def test_copies_leave_what_one_voter_gets_wrong():
    problem, _, joins = of_voters(101, rho=0.25)
    assert COPIES.verdict(problem, None, joins).sides.values[0] == pytest.approx(0.25 * 0.4 + 0.75 * 0.0208, abs=1e-3)
    wrong = np.stack([answers(v, 0.4, 0.25, 400, 0) for v in range(1, 40)]).sum(axis=0)
    assert np.isin(wrong, [0, 39]).mean() == pytest.approx(0.25, abs=0.07)


def test_with_p_above_one_half_it_turns():
    tails = [half_or_more(binomial(n, 0.6)) for n in range(1, 12, 2)]
    assert tails == sorted(tails)
    problem, before, joins = of_voters(11, p=0.6)
    names = HOEFFDING.verdict(problem, before, joins).sides.names
    assert names[-1] == "P(n)"
    assert status(MORE, problem, before, joins) == "holds"


# Its states


def test_a_fork_is_a_run_that_was_so_from_the_first_voter_on():
    run = Timeline(VOTE, Dataset.none, {"voters": 9}).run()
    fork = run.fork(8, p=0.7, rho=0.2, rounds=50, seed=5).run()
    fresh = Timeline(VOTE, Dataset.none, {"voters": 9, "p": 0.7, "rho": 0.2, "rounds": 50, "seed": 5}).run()
    assert same(fork.at(18).state, fresh.at(18).state)
    assert not fork.failures
    assert not fork.troubles


def test_fewer_voters_than_there_are_end_it():
    run = Timeline(VOTE, Dataset.none, {"voters": 9}).run()
    assert run.fork(12, voters=3).run().stopped.reason == "6 voters"


def test_data_are_refused_in_a_sentence():
    with pytest.raises(Refused, match="Majority vote works on no data"):
        VOTE(iris.load())


# Its theorems


@pytest.mark.parametrize("rho", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("p", [0.0, 1e-160, 0.3, 0.5, 0.9, 1.0])
def test_they_hold_for_any_chances(p, rho):
    problem, states = run_of(p=p, rho=rho, voters=12, rounds=9)
    for before, after in zip([None, *states], states):
        for theorem in VOTE.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_each_says_why_it_does_not_apply():
    problem, before, joins = of_voters(4, rho=0.5)
    why = [theorem.verdict(problem, before, joins).why for theorem in VOTE.theorems]
    assert why[0] == "in a share ρ = 0.5 of the rounds all copy"
    assert why[3] == why[4] == "n = 4 is even"
    problem, before, joins = of_voters(3)
    assert EVEN.verdict(problem, before, joins).why == "n = 3 is odd"
    assert COPIES.verdict(problem, before, joins).why == "nobody copies: ρ = 0"


def test_of_voters_that_copy_no_chance_of_k_wrong_is_claimed():
    problem, before, joins = of_voters(4, rho=0.5)
    binomial_chances = next(theorem for theorem in VOTE.theorems if theorem.statement.startswith("P(k wrong)"))
    assert binomial_chances.verdict(problem, before, joins).status == "does not apply"
    problem, before, joins = of_voters(4)
    assert binomial_chances.verdict(problem, before, joins).status == "holds"


def test_a_voter_that_copies_its_neighbour_is_noticed():
    problem, before, votes = of_voters(5, "vote")
    neighbour = answers(4, 0.4, 0.0, 400, 0)
    copied = replace(votes, wrong=before.wrong + neighbour, errors=np.append(before.errors, neighbour.sum()))
    assert status(COUNTED, problem, before, votes) == "holds"
    assert status(COUNTED, problem, before, copied) == "fails"


@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_answers_that_are_not_the_voters_own_are_noticed(rho, monkeypatch):
    """All voters as the first, or wrong just where they would be right."""
    for planted in (lambda v, p, *rest: answers(1, p, *rest), lambda *place: ~answers(*place)):
        with monkeypatch.context() as there:
            there.setattr(file, "answers", planted)
            run = Timeline(VOTE, Dataset.none, {"voters": 5, "rho": rho}).run()
        assert COUNTED.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_voter_that_joins_half_way_or_is_always_right_is_noticed():
    problem, before, joins = of_voters(6)
    half = (joins.chances + np.append(before.chances, 0.0)) / 2
    right = joined(before.chances, 0.0)
    for chances in (half, right):
        wrong = replace(joins, chances=chances)
        assert status(BINOMIAL, problem, before, joins) == status(EVEN, problem, before, joins) == "holds"
        assert status(BINOMIAL, problem, before, wrong) == status(EVEN, problem, before, wrong) == "fails"


@pytest.mark.parametrize("theorem", [ODD, MORE, HOEFFDING], ids=["by how much", "help", "Hoeffding"])
def test_voters_that_are_worse_than_they_should_be_break_the_bounds(theorem):
    problem, before, joins = of_voters(7, p=0.1)
    assert status(theorem, problem, before, joins) == "holds"
    assert status(theorem, problem, before, replace(joins, chances=binomial(7, 0.6))) == "fails"


@pytest.mark.parametrize("p", [0.01, 0.5, 0.99])
def test_of_hundreds_of_voters_no_chance_is_lost(p):
    """Chances of 1e-290 and less, and P(n) that differ by rounding alone, of which nothing is said."""
    problem, states = run_of(p=p, voters=401, rounds=1)
    steps = list(pairwise([None, *states]))
    for before, after in steps[:5] + steps[5:-5:9] + steps[-5:]:
        assert "fails" not in {theorem.verdict(problem, before, after).status for theorem in VOTE.theorems}
    assert VOTE.explain(problem, *states[-3:-1]).endswith("as with 399.")


def test_errors_that_are_forgotten_break_the_factor_of_two():
    problem, before, votes = of_voters(3, "vote")
    assert status(TWICE, problem, before, replace(votes, errors=votes.errors // 8)) == "fails"


def test_it_says_what_a_tie_does():
    problem, before, joins = of_voters(8)
    assert "the majority's chance goes from 0.29 to 0.406" in VOTE.explain(problem, before, joins)
    problem, before, joins = of_voters(7)
    assert VOTE.explain(problem, before, joins).endswith("4 or more are: chance 0.29, 0.028 less than with 5.")


def test_dots_stand_where_a_round_has_so_many_wrong_and_nowhere_else():
    problem, before, votes = of_voters(9, "vote", rounds=50)
    stage, _, table, _ = VOTE.scene(problem, before, votes).panels
    dots = next(mark for mark in stage.marks if isinstance(mark, Points))
    assert dots.names == ("share of rounds",)
    assert (9 * dots.at[:, 0]).round().astype(int).tolist() == np.unique(votes.wrong).tolist()
    assert dots.at[:, 1].sum() == pytest.approx(1)
    assert (table.title, table.note) == ("wrong voters", "of 9")


def test_the_chances_along_n_are_those_of_the_n_of_now_before_the_newest_has_voted():
    problem, _, joins = of_voters(8)
    values = {curve.name: curve.value(problem, joins) for curve in VOTE.curves}
    assert values["chance, even n"] == pytest.approx(file.majority_wrong(problem, joins))
    assert values["Hoeffding"] == pytest.approx(np.exp(-2 * 8 * 0.1**2))
    assert np.isnan([values["chance, odd n"], values["rounds, odd n"]]).all()
