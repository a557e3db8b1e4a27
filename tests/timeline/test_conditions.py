"""Conditions: what they say, what they refuse, and how they go on."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from algorithms import Dataset, Timeline, conditions
from algorithms.core import Array, Event, Run, State
from algorithms.core.errors import Refused
from algorithms.timeline.conditions import Search, Unreadable, completions, parse, starting
from algorithms.userfile.in_process import plain_algorithm
from tests.examples import examples
from tests.timeline.toys import DATA, ORBIT, brittle, declared, orbit

RUN = Timeline(ORBIT, DATA, {"laps": 12}).run()
LAP = ("lap",)
STATE = RUN.at(RUN.last).state


def steps(text: str, run: Timeline = RUN) -> list[int]:
    """Where it holds, asked of every step by itself."""
    condition = parse(text, run.algorithm, run.data, STATE)
    return [t for t in range(len(run)) if condition.holds(run, t)]


def states_where(holds: object) -> list[int]:
    return [t for t in range(len(RUN)) if holds(RUN.at(t))]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("jumps >= 2", lambda f: f.state.jumps >= 2),
        ("2 <= jumps < 4", lambda f: 2 <= f.state.jumps < 4),
        ("jumps = 1", lambda f: f.state.jumps == 1),
        ("jumps ≠ 1", lambda f: f.state.jumps != 1),
        ("lap", lambda f: f.state.phase == "lap"),
        ("phase drift", lambda f: f.state.phase == "drift"),
        ("phase == jump", lambda f: f.state.phase == "jump"),
        ("x turned", lambda f: f.before is not None and f.before.x[0] * f.state.x[0] < 0),
        ("not lap and not drift", lambda f: f.state.phase in ("start", "jump")),
        ("lap or jump", lambda f: f.state.phase in ("lap", "jump")),
        ("lap or jump and x[0] > 0", lambda f: f.state.phase in LAP or (f.state.phase == "jump" and f.state.x[0] > 0)),
        ("(lap or jump) and jumps > 3", lambda f: f.state.phase in ("lap", "jump") and f.state.jumps > 3),
        ("x[0] < 0", lambda f: f.state.x[0] < 0),
        ("x[-1] < x[0]", lambda f: f.state.x[1] < f.state.x[0]),
        ("max(x) > 1", lambda f: f.state.x.max() > 1),
        ("norm(x) > 1.5", lambda f: np.linalg.norm(f.state.x) > 1.5),
        ("max(abs(x)) > 1", lambda f: np.abs(f.state.x).max() > 1),
        ("sum(x) - min(x) > 0.5", lambda f: f.state.x.sum() - f.state.x.min() > 0.5),
        ("len(seen) == 2", lambda f: len(f.state.seen) == 2),
        ("seen[1][0] > 0", lambda f: len(f.state.seen) > 1 and f.state.seen[1][0] > 0),
        ("seen[1,0] > 0", lambda f: len(f.state.seen) > 1 and f.state.seen[1][0] > 0),
        ("(jumps + 1) * 2 ** 2 / 4 - 1 == 2", lambda f: f.state.jumps == 2),
        ("-jumps < -2", lambda f: f.state.jumps > 2),
        ("length > 2", lambda f: np.abs(f.state.x).sum() > 2),
        ("'length' > 2", lambda f: np.abs(f.state.x).sum() > 2),
        ("length rises", lambda f: f.before is not None and np.abs(f.state.x).sum() > np.abs(f.before.x).sum()),
        ("x[0] falls", lambda f: f.before is not None and f.state.x[0] < f.before.x[0]),
        ("x changes", lambda f: f.before is not None and not np.array_equal(f.state.x, f.before.x)),
        ("seen changes", lambda f: f.state.phase == "lap"),
        ("row 1 is visited", lambda f: f.state.row == 1),
        ("step 7", lambda f: f.t == 7),
        ("t > 5 and step <= 7", lambda f: f.t in (6, 7)),
        ("iteration == 2", lambda f: f.state.iteration == 2),
        ("iteration 2", lambda f: f.state.iteration == 2 and f.before.iteration == 1),
        ("iteration changes", lambda f: f.before is not None and f.before.iteration != f.state.iteration),
        ("9 ** 9 ** 9 > jumps", lambda f: True),
        ("1 / t > 5 or t / 0 < 1", lambda f: f.t == 0),
        ("+".join(["t"] * 900) + " > 1_000", lambda f: 900 * f.t > 1000),
        ("*".join(["1"] * 600) + " > 0 and finite(" + "-".join(["t"] * 300) + ")", lambda f: True),
        ("inf > t", lambda f: True),
    ],
)  # fmt: skip
def test_a_condition_holds_where_it_says(text: str, holds: object) -> None:
    assert steps(text) == states_where(holds)


class LossState(State, frozen=True, kw_only=True):
    loss: float = 1.0
    w: Array = np.zeros(2)
    rate: float | None = None


def overflowing(data: Dataset, state: LossState | None = None) -> Run[LossState]:
    """The loss is NaN from step 3 on; an entry of w at step 2 alone; a rate there is from step 1 on."""
    if state is None:
        state = LossState()
        yield state
    while state.t < 5:
        t = state.t + 1
        w = np.array([1.0, math.inf if t == 2 else 1.0])
        state = state.after("go", loss=math.nan if t >= 3 else 1.0, w=w, rate=0.5)
        yield state
    return "done"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("isnan(loss)", [3, 4, 5]),
        ("not isnan(loss)", [0, 1, 2]),
        ("loss == nan", [3, 4, 5]),
        ("nan = loss", [3, 4, 5]),
        ("loss != NaN", [0, 1, 2]),
        ("loss != loss", [3, 4, 5]),
        ("loss != 1", [3, 4, 5]),
        ("loss == loss", [0, 1, 2]),
        ("loss < 5 or loss >= 5", [0, 1, 2]),
        ("isnan(w)", []),
        ("isnan(w - w)", [2]),
        ("finite(w)", [0, 1, 3, 4, 5]),
        ("finite(w) and (finite(loss))", [0, 1]),
        ("max(w) == inf", [2]),
        ("finite(rate)", [1, 2, 3, 4, 5]),
        ("isnan(rate)", []),
        ("rate == nan", []),
        ("rate != nan", [1, 2, 3, 4, 5]),
        ("t / t != 1", [0]),
    ],
)
def test_nan_is_found(text: str, expected: list[int]) -> None:
    algorithm = declared(
        overflowing, phases={"start": "", "go": ""}, fork_after=(), events=(), start_only=(), curves=(), theorems=()
    )
    run = Timeline(algorithm, DATA).run()
    condition = parse(text, algorithm, DATA)
    assert [t for t in range(len(run)) if condition.holds(run, t)] == expected
    assert [t for t in range(len(run)) if starting(condition).holds(run, t)] == [
        t for t in expected if t - 1 not in expected
    ]


SIGNS = (*"()[],+-*/<_=", "**", "<=", "==", "!=", "≠", "'", '"', "²", "\x00", "\ud800")
NUMBERS = ("1", "0", "1_", "_1", "1_000", ".5", "1.", "1e9", "2e", "1e999", "9_9.9_9e9", "٣", "9999999999999999")
GRAMMAR = ("not", "and", "or", "rises", "falls", "changes", "max", "norm", "abs", "isnan", "finite", "nan", "inf")
PHRASES = ("a theorem", "any", "fails", "row", "is visited", "moves", "step", "iteration", "begins", "phase", "theorem")
NAMES = ("t", "x", "seen", "jumps", "length", "laps", "lap", "jump", "x turned", "é")
PIECES = st.sampled_from((*SIGNS, *NUMBERS, *GRAMMAR, *PHRASES, *NAMES))


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=14).map("".join) | st.text())
@example("t > 1_")
@example("+".join(["1"] * 700) + " > 0")
@example("t < " + " < ".join(["1"] * 450))
@example("x" + "[0]" * 600 + " > 0")
@example("2" + " ** 2" * 38 + " > 0")
def test_a_text_is_a_condition_or_is_refused(text: str) -> None:
    for state in (STATE, None):
        try:
            condition = parse(text, ORBIT, DATA, state)
        except Unreadable:
            continue
        for t in (0, 5, RUN.last):
            condition.holds(RUN, t)
        starting(condition).holds(RUN, 3)


def counting(n: int = 6) -> Iterator[dict[str, float]]:
    for i in range(n):
        yield {"loss": 1.0 / (i + 1), **({"late": float(i)} if i > 3 else {})}


def test_a_name_that_no_field_has_is_refused_once_a_state_is_known() -> None:
    own = plain_algorithm(counting)
    data = own.datasets[0].load()
    run = Timeline(own, data).run()
    with pytest.raises(Unreadable, match="there is no 'lss'; near it: loss"):
        parse("lss > 3", own, data, run.at(2).state)
    for text in ("lss > 3", "loss > 30 and lss > 3", "isnan(lss)"):
        with pytest.raises(Refused, match=f"in '{text[:5]}.*there is no 'lss'".replace("(", ".")):
            parse(text, plain_algorithm(counting), data).holds(run, 2)  # parsed before anything was yielded
        with pytest.raises(Unreadable, match="there is no 'lss'"):
            parse(text, own, data)
    with pytest.raises(Refused, match="there is no row 0: counting works on no data"):
        parse("row 0 is visited", own, data)
    assert [t for t in range(len(run)) if parse("loss < 0.3 and late > 4", own, data).holds(run, t)] == [6]


@pytest.mark.parametrize("ahead", [0, 1, 2, 99])
@pytest.mark.parametrize("forward", [True, False])
def test_a_search_for_a_name_that_no_field_has_says_so(ahead: int, forward: bool) -> None:
    own = plain_algorithm(counting)
    run = Timeline(own, own.datasets[0].load())
    condition = parse("lss > 3 or loss < -1", own, run.data)
    run.advance(ahead)
    search = Search(run, condition, 0 if forward else len(run), forward)
    assert search.work() is None
    if forward or ahead > 1:
        assert search.trouble == "in 'lss > 3 or loss < -1' there is no 'lss'; near it: loss."


def test_a_curve_of_some_phases_is_compared_with_where_it_last_was() -> None:
    laps = [t for t in range(len(RUN)) if RUN.at(t).state.phase == "lap"]
    assert steps("laps > 3") == [t for t in laps if RUN.at(t).state.iteration > 3]
    assert steps("laps rises") == laps[1:]
    assert steps("laps changes") == laps[1:]
    assert steps("laps falls") == []
    assert steps("laps + jumps rises") == laps[1:]


def test_what_is_not_there_is_false_and_no_error() -> None:
    assert steps("seen[9][0] > 0") == []
    assert steps("seen[9][0] <= 0") == []
    assert len(steps("not seen[9][0] > 0")) == len(RUN)
    assert steps("x[0] ** 0.5 > -1") == states_where(lambda f: f.state.x[0] >= 0)  # the root of less is NaN
    assert steps("x[7] changes") == []
    assert steps("max(seen) > -100") == states_where(lambda f: f.state.seen)


def test_a_row_moves_when_its_label_does() -> None:
    from algorithms import datasets, find

    run = Timeline(find("lloyd"), datasets.load("iris"), {"k": 3}).run()
    condition = parse("row 100 moves", run.algorithm, run.data)
    labels = [run.at(t).state.labels[100] for t in range(len(run))]
    assert [t for t in range(len(run)) if condition.holds(run, t)] == [
        t for t in range(1, len(run)) if labels[t] != labels[t - 1] >= 0
    ]
    assert run.at(1).before.labels[100] < 0 <= labels[1], "every row joins there, and none moves"


def test_a_row_moves_when_anything_of_it_does() -> None:
    from algorithms import datasets, find

    run = Timeline(find("adaboost"), datasets.load("iris", positive="setosa")).run()
    condition = parse("row 3 moves", run.algorithm, run.data)
    weights = [(run.at(t).state.weights[3], run.at(t).state.votes[3]) for t in range(len(run))]
    expected = [t for t in range(1, len(run)) if weights[t] != weights[t - 1]]
    assert expected
    assert [t for t in range(len(run)) if condition.holds(run, t)] == expected


def test_theorems_that_fail() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 5, "limit": 0.5}).run()
    failing = [t for t in range(len(run)) if any(v.status == "fails" for v in run.verdicts(run.at(t)))]
    assert failing
    assert steps("a theorem fails", run) == failing
    assert steps("theorem 1 fails", run) == failing
    assert steps("theorem 2 fails", run) == []


@pytest.mark.parametrize(
    ("text", "said", "at"),
    [
        ("", "say what is to hold", 0),
        ("jumsp > 3", "there is no 'jumsp'; near it: jump, jumps", 0),
        ("jumps >", "a number, a field or a curve is wanted here", 7),
        ("jumps > 3 4", "'4' does not go on from here", 10),
        ("jumps", "to be compared, as in: jumps >= 10, or jumps changes", 5),
        ("x > 3", "x has 2 entries: say which, as in x[0], or max(x), norm(x)", 0),
        ("3 < x", "x has 2 entries", 4),
        ("x[0,1] > 3", "x has 2 entries: 1 index at most", 0),
        ("x[0][0][0] > 3", "x has 2 entries: 1 index at most", 0),
        ("x rises", "x has 2 entries", 0),
        ("seen > 3", "seen has several parts", 0),
        ("length[0] > 1", "'length' is one number", 6),
        ("jump > 3", "'jump' is no number", 0),
        ("row 3 moves", "there is no row 3: three rows has rows 0 to 2", 4),
        ("row 1 jumps", "'is visited' or 'moves' is wanted here", 6),
        ("theorem 4 fails", "there is no theorem 4: Orbit has 3, counted from 1", 8),
        ("phase flying", "the phases are start, drift, jump, lap", 6),
        ("(jumps > 3", ") is wanted here", 10),
        ("jumps > $", "'$' has no meaning here", 8),
        ("'jumps > 3", "the ' that begins here is not closed", 0),
        ("jumps > 3x", "a number runs into a letter", 8),
        ("x[0.5] > 1", "entries are counted in whole numbers", 2),
        ("__import__('os')", "there is no '__import__': it is no field", 0),
        ("(" * 500 + "1", "too much stands inside each other", 40),
        ("not " * 400 + "lap", "too much stands inside each other", 164),
        ("-" * 500 + "1 > 0", "too much stands inside each other", 40),
        ("t > 1_", "an underscore in a number stands between two digits", 6),
        ("t > 1__0", "an underscore in a number stands between two digits", 4),
        ("jumps > 1_.5", "an underscore in a number stands between two digits", 8),
        ("jumps < nan", "nothing is more or less than nan: isnan(...) holds where a value is", 8),
        ("isnan(lap)", "'lap' is no number", 6),
        ("1 + " * 2000, "a condition has 2,000 characters at most", 0),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_place(text: str, said: str, at: int) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(text, ORBIT, DATA, STATE)
    assert said in str(refused.value)
    assert abs(refused.value.at - at) <= (2 if len(text) > 500 else 0)
    assert refused.value.caret.index("^") == refused.value.at


def test_without_a_state_the_fields_are_those_declared() -> None:
    assert parse("jumps > 3", ORBIT, DATA).needs == "states"
    with pytest.raises(Unreadable):
        parse("jumsp > 3", ORBIT, DATA)


def test_a_row_is_visited_only_where_states_name_one() -> None:
    from algorithms import datasets, find

    with pytest.raises(Unreadable, match="name no current row; row 3 moves would do"):
        parse("row 3 is visited", find("lloyd"), datasets.load("iris"))


def test_what_is_needed() -> None:
    needs = {t: parse(t, ORBIT, DATA, STATE).needs for t in ("lap and t > 3", "length > 1 or lap", "not jumps > 3")}
    assert list(needs.values()) == ["log", "curve", "states"]


def test_an_event_may_be_called_as_a_word_of_the_grammar_is() -> None:
    never, always = Event("row", lambda before, after: False), Event("a", lambda before, after: True)
    run = Timeline(declared(orbit, events=(never, always)), DATA, {"laps": 2}).run()
    everywhere, visited = [*range(len(run))], steps("row 1 is visited", run)
    assert steps("row", run) == steps("a theorem fails", run) == []
    assert steps("a", run) == everywhere
    assert steps("row or row 1 is visited", run) == visited
    assert steps('"a" and row 1 is visited', run) == visited != []
    assert steps("a and not row", run) == everywhere


def test_completions_go_on_to_what_can_be_read() -> None:
    def words(text: str) -> list[str]:
        return [c.text for c in completions(text, ORBIT, DATA, STATE)]

    assert {"jump", "x turned", "length", "jumps"} <= set(words(""))
    assert words("ju") == ["jump", "jumps"]
    assert words("x t") == ["x turned"]
    assert {"jumps rises", "jumps >=", "jumps +"} <= set(words("jumps "))
    assert "x[0]" in words("x")
    assert words("lap and len") == ["lap and length", "lap and len("]
    assert "phase lap" in words("phase ")
    assert words("row 1 ") == ["row 1 moves", "row 1 is visited"]
    assert words("a th") == ["a theorem fails"]
    assert words("isn") == ["isnan("]
    assert "finite(jumps" in words("finite(ju")
    assert words("jumps > 3 a") == ["jumps > 3 and"]
    assert words("zzz") == []
    assert words("jumps > > ") == []


def test_completions_are_in_quotes_where_names_need_them() -> None:
    from algorithms.core import Curve

    odd = declared(orbit, curves=(Curve("2nd length", lambda p, s: 1.0),))
    found = [c.text for c in completions("2", odd, DATA)] + [c.text for c in completions('"2', odd, DATA)]
    assert [c.word for c in completions("", odd, DATA) if "2nd" in c.word] == ['"2nd length"']
    assert not any("2nd" in text and '"2nd length"' not in text for text in found)
    assert parse('"2nd length" > 0', odd, DATA).needs == "curve"


def test_a_hook_that_raises_is_told_of_a_step_alone() -> None:
    from algorithms.core import Curve

    algorithm = declared(orbit, curves=(Curve("bad", lambda p, s: 1 / 0),))
    run = Timeline(algorithm, DATA, {"laps": 2}).run()
    with pytest.raises(conditions.Unanswerable, match="the curve bad could not be measured at step 3: ZeroDivision"):
        parse("bad > 3", algorithm, DATA).holds(run, 3)


def test_a_run_that_failed_can_be_asked() -> None:
    run = Timeline(declared(brittle), DATA).run()
    assert run.stopped is not None
    assert run.stopped.failed
    assert steps("x[0] < 0.3", run) == [2, 3, 4, 5, 6]
