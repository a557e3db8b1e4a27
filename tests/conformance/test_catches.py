"""The conformance suite catches what it is there to catch: each mutant fails the check that is meant for it."""

from typing import Any

import numpy as np
import pytest

from algorithms import Algorithm, Dataset, Refused
from algorithms.core import (
    Ask,
    Bars,
    Contours,
    Contrast,
    Curve,
    Event,
    Labels,
    Panel,
    Points,
    Problem,
    Scene,
    Segments,
    Table,
    Theorem,
)
from tests import conformance
from tests.conformance import ON_ALL_DATA, ON_DATA, ON_ITSELF
from tests.conformance.mutants import (
    NAN,
    TWO,
    Blob,
    at_mean,
    cannot_fail,
    changes_the_data,
    climbs,
    climbs_late,
    counts_from_one,
    dragging,
    draws_and_drops,
    draws_from_all_the_world,
    draws_unseeded,
    event_that_raises,
    explain_that_raises,
    fails_late,
    forgets_how_it_ended,
    give_up,
    goes_back,
    has_a_row_too_many,
    has_rows_by_chance,
    height_of_nothing,
    height_that_keeps_the_data,
    height_that_raises,
    hides_a_variable,
    hides_an_array_in_a_class,
    hides_its_orders,
    holds_a_list,
    keep,
    keeps_a_way_in,
    lacks_a_bound,
    lacks_help,
    marked_anew,
    marking,
    measures_rows,
    names_a_phase_of_its_own,
    names_a_row_too_many,
    no_sides,
    overflows,
    refuse_in_code,
    says_not_why,
    scene_that_needs_a_step_before,
    scene_with_nan_late,
    shown,
    skips_a_state_when_resumed,
    stands_still,
    stops_early,
    takes_its_time,
    unlocks_an_array_in_a_struct,
    writes_into_its_array,
    yields_all_at_one_place,
    yields_numbers,
)
from tests.conformance.slide import DATA, declared, falls, height, laps_made

MOVES = Ask("Is the next step a move?", "move")
TWO_RIGHT = Ask("Which way?", choices=(("up", "t > 1"), ("down", "t <= 1"), ("a move", "move")))

MUTANTS: list[tuple[str, Algorithm, str]] = [
    # the check that catches it, the mutant, words of the complaint
    ("resumes", declared(hides_a_variable), "x differs by"),
    ("resumes", declared(hides_its_orders), "resumed from a copy of state 9 (look), state 10 (move): x differs"),
    ("resumes", declared(forgets_how_it_ended), "ended with 'resumed' instead of 'from the start'"),
    ("resumes", declared(skips_a_state_when_resumed), "resumed from a copy of state 2"),
    ("timeline", declared(hides_a_variable), "given back: state 39 (look): x differs by"),
    ("arrays", declared(writes_into_its_array), "state 4 (move) was changed after it was yielded"),
    ("arrays", declared(keeps_a_way_in), "was changed after it was yielded"),
    ("arrays", declared(unlocks_an_array_in_a_struct), "trace[0].inside can be written to"),
    ("arrays", declared(hides_an_array_in_a_class), "trace[0] is a Bag, which can change"),
    ("arrays", declared(holds_a_list), "trace is a list, which can change"),
    ("arrays", declared(changes_the_data), "the run changed the data"),
    ("counts", declared(counts_from_one), "the state after 0 others has t = 1"),
    ("counts", declared(stands_still), "the state after 1 others has t = 0"),
    ("counts", declared(goes_back), "iteration -1 comes after 0"),
    ("counts", declared(names_a_phase_of_its_own), "the declaration has no such phase"),
    ("counts", declared(says_not_why, start_only=()), "must return in words why it stopped"),
    ("counts", declared(yields_numbers, start_only=()), "it must yield states"),
    ("counts", declared(yields_all_at_one_place), "yields both 'start' and 'look'"),
    ("repeats", declared(draws_from_all_the_world), "in a second run with the same arguments, state 10 (move): slope"),
    ("repeats", declared(draws_unseeded), "in a second run with the same arguments, state 10 (move): slope"),
    ("repeats", declared(draws_and_drops), "draws from the global random numbers"),
    ("theorems", declared(climbs), "'f never rises' fails"),
    ("long_run", declared(climbs_late), "'f never rises' fails"),
    ("long_run", declared(fails_late), "ZeroDivisionError"),
    ("edges", declared(overflows, start_only=()), "eta = 1000000000.0"),
    ("edges", declared(validate=refuse_in_code), "is refused with 'E42', which is no sentence"),
    ("only_for", declared(only_for={"eta": ("start", "corner")}), "eta changes the run with start = row"),
    ("parameters", declared(lacks_a_bound, start_only=()), "eta lacks a bound: 0 < eta"),
    ("parameters", declared(lacks_help, start_only=()), "eta has no description"),
    ("edits", declared(fork_after=("start", "look")), "(look) with a row moved, state 22 (move), 'a move is η times"),
    ("forks", declared(explain=explain_that_raises), "NoneType"),
    ("forks", declared(start_only=()), "start = 'row' makes another run from the start, but changes nothing in a fork"),
    ("edits", marking(lambda before, after, state, rows: state), "trace is (272,) for 273 rows"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows])), "'marked right' fails"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows])), "or it is about='run'"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows + 1])), "raises IndexError"),
    ("edits", marking(lambda before, after, state, rows: state.after("move")), "a state of another moment"),
    ("edits", dragging(lambda state, i, to: state.after("move", x=to)), "x dragged gives a state of another moment"),
    ("edits", dragging(lambda state, i, to: state), "x dragged changes nothing"),
    ("edits", dragging(lambda state, i, to: state.replaced(x=to), NAN), "a grip is not finite"),
    ("edits", dragging(lambda state, i, to: state.replaced(x=to), ((0.0,),)), "the grips are (1, 1) in 2 dimensions"),
    ("edits", dragging(lambda state, i, to: state.replaced(slope=to[:1])), "slope of step 0 has shape (2,)"),
    ("scenes", dragging(lambda state, i, to: state, ((0.0, 0.0), (1.0, 1.0))), "1 names for 2 grips"),
    ("curves", declared(curves=(Curve("f", height_of_nothing),)), "the curve 'f' is inf; it cannot be drawn"),
    ("curves", declared(curves=(Curve("f", height, phases=("moves",)),)), "names the phase 'moves'; there is none"),
    ("timeline", declared(curves=(Curve("f", height_that_raises),)), "the curve f: ZeroDivisionError"),
    ("timeline", declared(events=(Event("odd", event_that_raises),)), "the event odd: AttributeError"),
    ("objective", declared(objective=None), "it does not say which curves measure its objective"),
    ("objective", declared(objective={("f",): ("eta",)}), "measure the same with another eta"),
    ("objective", declared(objective={("g",): ()}), "one of them is no curve"),
    ("theorems_apply", declared(theorems=(Theorem("never", no_sides, "No one (1900)"),)), "never applies: ['never']"),
    ("theorems_speak", declared(theorems=(Theorem("never", no_sides, "No one (1900)"),)), "that opens: ['never']"),
    (
        "first_theorem",
        declared(theorems=(Theorem("x' = x - ηg", falls, "Cauchy (1847)", proof=("that is the rule",)),)),
        "comes first, and is the rule",
    ),
    ("curves_defined", declared(curves=(Curve("f", lambda p, s: np.nan),)), "never a number: ['f']"),
    ("phases_come", declared(events=(Event("never", lambda b, a: False),)), "never comes: ['never']"),
    (
        "scenes",
        declared(scene=scene_with_nan_late),
        "state 40 (move) with no step before it, panel 'rows': Points.at is not finite",
    ),
    ("scenes", declared(scene=scene_that_needs_a_step_before), "NoneType"),
    ("scenes", declared(scene=shown(Blob())), "TypeError: Blob is not a mark that can be shown"),
    ("scenes", declared(scene=shown(Points(at=NAN))), "Points.at is not finite"),
    ("scenes", declared(scene=shown(Points(at=TWO, classes=np.zeros(3, int)))), "Points.classes is (3,) for 2 points"),
    ("scenes", declared(scene=shown(Segments(start=TWO, end=TWO))), "no Segments has a name for the legend"),
    ("scenes", declared(scene=shown(Contours(height=lambda at: at[:, 0]))), "no Contours has a name for the legend"),
    ("scenes", declared(scene=shown(Points(at=TWO, tone="blue"))), "there is no tone 'blue'"),  # type: ignore[arg-type]
    ("scenes", declared(scene=shown(Points(at=TWO), title="a" * 41)), "its title is 41 columns wide"),
    ("scenes", declared(scene=shown(Bars(heights=np.ones(2), edges=np.ones(2)))), "2 bars need 3 edges"),
    ("scenes", declared(scene=shown(Table(columns=("a",), rows=((1, 2),)))), "a row of 2 cells under 1 columns"),
    ("scenes", declared(scene=shown(Table(columns=("a",), rows=((np.nan,),)))), "a cell is nan"),
    ("scenes", declared(scene=shown(Points(at=TWO), Table(columns=("a",), rows=()))), "among other marks"),
    ("scenes", declared(scene=lambda problem, before, after: Scene(())), "the scene has no panel"),
    (
        "scenes",
        declared(scene=shown(Points(at=DATA.X)), explain=lambda problem, before, after: "Row 3 moves."),
        "no mark shows row 3",
    ),
    ("scenes", declared(explain=lambda problem, before, after: "f is nan."), "the explanation says 'f is nan.'"),
    ("scenes", declared(explain=lambda problem, before, after: ""), "the explanation is ''"),
    (
        "scenes",
        declared(explain=lambda problem, before, after: "Toss 0 is heads."),
        "what happens in time is counted from 1",
    ),
    ("scenes", declared(scene=shown(Table(columns=("fold 0",), rows=()))), "what happens in time is counted from 1"),
    ("colours", declared(scene=shown(Labels(at=TWO, texts=("f", "x"), tones=(2,)))), "its curve has the tone None"),
    (
        "colours",
        declared(
            scene=lambda problem, before, after: Scene(
                tuple(
                    Panel(title=f"panel {tone}", marks=(Labels(at=TWO, texts=("x", "y"), tones=(tone,)),))
                    for tone in (2, 3)
                )
            )
        ),
        "'x' is {3} in the panel 'panel 3', and {2} in another",
    ),
    (
        "letters_of_proofs",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("so v·v is 0", "for every v")),)),
        "the proof of 'f' does not say what v is",
    ),
    ("notation", declared(rule="x <- X'x"), "a prime transposes"),
    ("notation", declared(rule="½ d'Hd"), "a prime transposes"),
    ("notation", declared(rule="C = xx'/n"), "a prime transposes"),
    ("notation", declared(rule="(x - m)'Σ⁻¹(x - m)"), "a prime transposes"),
    (
        "notation",
        declared(symbols={"η, x": ("all", None), "x, f": ("where it is", None)}),
        "['x'] are explained twice",
    ),
    ("page", declared(rule="x̄ <- x"), "a combining mark (COMBINING MACRON) has no cell of its own"),
    ("page", declared(symbols={}), "no symbol is explained"),
    ("page", declared(symbols={"x, f": ("where it is", None)}), "η is not explained"),
    ("page", declared(symbols={"η, f": ("the step size", None)}), "x is not explained"),
    ("page", declared(symbols={"f": ("where it is", None)}), "x, η are not explained"),
    ("page", declared(symbols={"η, f, x, ℓ": ("loss", None)}), "ℓ (SCRIPT SMALL L) is in few terminal fonts"),
    (
        "page",
        declared(symbols={"η, x, f": ("all", None), "L(x)": ("a sum", None), "L": ("a bound", None)}),
        "['L'] is a",
    ),
    ("page", declared(theorems=(Theorem("f >= 0", cannot_fail, "Cauchy (1847)"),)), "'f >= 0' has no proof"),
    ("page", declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("x" * 91,)),)), "is 91 columns wide"),
    (
        "page",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("y" * 95, "so f falls", "z" * 93)),)),
        f"95 columns wide; 90 fit: '{'y' * 95}'; a line of a proof is 93",
    ),
    ("page", declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("",)),)), "a line of the proof of 'f' is"),
    (
        "page",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("by the theorem before",)),)),
        "'f' names another by its place",
    ),
    ("declaration", declared(in_hall="g falls"), "what is in the hall, 'g falls', is no theorem"),
    (
        "declaration",
        declared(contrast=Contrast("a, and b", curves=("f", "g"), names=("a", "b"))),
        "its contrast names what is no curve",
    ),
    ("symbols", declared(symbols={"x": ("where it is", lambda p, s: np.nan)}), "x is nan; it must be finite or None"),
    ("can_fail", declared(theorems=(Theorem("f >= 0", cannot_fail, "Cauchy (1847)"),)), "nothing breaks ['f >= 0']"),
    ("measured", declared(measures_rows, measured=("slope",), adapt=keep), "was measured on rows that have changed"),
    ("measured", declared(measured=("slopes",)), "names 'slopes'; there is no field"),
    ("lengths", declared(names_a_row_too_many), "nearest is 272, and there are 272 rows"),
    ("lengths", declared(has_a_row_too_many), "trace is (273,) for 272 rows"),
    ("edits", declared(has_rows_by_chance, adapt=keep), "trace is (272,) for 273 rows"),
    ("edits", declared(adapt=give_up), "an `adapt` and nothing is `measured`"),
    ("lets_go", declared(curves=(Curve("f", height_that_keeps_the_data),)), "the data are kept when the run is gone"),
    ("ends", declared(stops_early), "it ends with '20 laps', which is not so: laps 20 ≤ moves 7"),
    ("ends", declared(yields_all_at_one_place), "it returns 'done', which `ends` does not declare"),
    ("ends", declared(ends={"… laps": lambda problem, state: True}), "'20 laps' would not be noticed"),
    ("ends", declared(ends={"… laps": laps_made, "in the middle": at_mean}), "never ends so: ['in the middle']"),
    ("ends", declared(ends={}), "no end is declared"),
    ("budget", declared(theorems=(Theorem("slow", takes_its_time, "No one (1900)"),)), "'slow' takes 1.0 s of 1"),
    ("declaration", declared(references=()), "there are no references"),
    ("declaration", declared(fork_after=("begin",)), "the entry 'begin' is no phase"),
    ("declaration", declared(rule="x" * 61), "a line of the rule is 61 columns wide"),
    ("declaration", declared(rule="y" * 62 + "\n" + "x" * 61), "a line of the rule is 61 columns wide"),
    ("declaration", declared(start_only=("k",)), "'k' is fixed, and no parameter"),
    ("declaration", declared(summary="walks"), "the summary is not a sentence"),
    ("declaration", declared(point="the rows"), "the point is not a sentence"),
    ("declaration", declared(point="It walks." * 11), "the point has 99 characters, more than 90"),
    ("declaration", declared(point="How far η goes."), "the point names η, which no one has met yet"),
    ("declaration", declared(tries=(("", "-p k=2"),)), "'' has 0 characters"),
    ("declaration", declared(tries=(("two", "-p k=2"),)), "'-p k=2' cannot be tried"),
    ("asks", declared(asks=(MOVES,)), "there is one question"),
    ("asks", declared(asks=(MOVES, Ask("Say what f is.", "f"))), "'Say what f is.' is no question"),
    ("asks", declared(asks=(MOVES, Ask(f"{'Is it ' * 14}so?", "move"))), "has 87 columns; 78 fit"),
    ("asks", declared(asks=(MOVES, Ask("Does it rise?", "f rises"))), "'Does it rise?' has one answer in all"),
    ("asks", declared(asks=(MOVES, Ask("Is it a move?", "move", "t < 0"))), "'Is it a move?' cannot be asked"),
    ("asks", declared(asks=(MOVES, Ask("Is it a jump?", "jump"))), "there is no 'jump'"),
    ("asks", declared(asks=(MOVES, Ask.number("What is it?", "x[9]"))), "x[9] has no value at step 1"),
    ("asks", declared(asks=(MOVES, Ask.row("Which row is it?", "slope changes"))), "names no rows at step 1"),
    ("asks", declared(asks=(MOVES, TWO_RIGHT)), "one answer is to be right, but at step 2 it is 'up' and 'a move'"),
    ("declaration", declared(after=("slid",)), "there is no algorithm 'slid' to be met before it"),
]


def run_check(name: str, algorithm: Algorithm, data: Dataset) -> None:
    check: Any = getattr(conformance, f"check_{name}")
    if check in ON_ITSELF:
        check(algorithm)
    elif check in ON_ALL_DATA:
        check(algorithm, [data])
    else:
        check(algorithm, data)


@pytest.mark.parametrize("check", [*ON_DATA, *ON_ALL_DATA, *ON_ITSELF], ids=lambda check: check.__name__)
def test_the_original_passes(check: Any) -> None:
    run_check(check.__name__.removeprefix("check_"), declared(), DATA)


@pytest.mark.parametrize(
    ("check", "mutant", "words"),
    [pytest.param(*m, id=f"{m[0]}: {m[1].name if m[1].name != 'slide' else m[2][:40]}") for m in MUTANTS],
)
def test_a_mutant_is_caught(check: str, mutant: Algorithm, words: str) -> None:
    data = Dataset(DATA.X.copy(), name="rows")  # a mutant may damage it
    with pytest.raises(Exception) as caught:  # noqa: PT011
        run_check(check, mutant, data)
    said = f"{type(caught.value).__name__}: {caught.value}"
    assert words in said, said


def test_an_adapt_that_follows_and_a_grip_that_can_be_dragged_pass() -> None:
    conformance.check_edits(marking(marked_anew), DATA)
    conformance.check_edits(dragging(lambda state, i, to: state.replaced(x=to)), DATA)


def test_every_check_has_a_mutant() -> None:
    names = {check.__name__.removeprefix("check_") for check in (*ON_DATA, *ON_ALL_DATA, *ON_ITSELF)}
    assert {name for name, _, _ in MUTANTS} == names


def test_a_refusal_of_a_fork_is_in_words() -> None:
    def validate(problem: Problem) -> str | None:
        return None if problem.parameters.eta == 0.25 else "no."

    conformance.check_forks(declared(validate=validate), DATA)
    with pytest.raises(Refused):
        declared(validate=validate).problem(DATA, None, {"eta": 0.5})
