"""Request: what the first screen shows, as a command line asks for it; checked before there is a screen."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from algorithms.cli.arguments import loaded, parameters_from, recipe_from
from algorithms.core import Refused
from algorithms.core.catalogue import names
from algorithms.playback.comparison.compared_run import MOST, ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.in_front import InFront, in_front
from algorithms.playback.runs.loaded_run import LoadedRun, recording
from algorithms.playback.runs.variant import against

if TYPE_CHECKING:
    from algorithms.lectures.lessons import Lesson
    from algorithms.saving.session import Opening

_OF_NO_RUN = {"algorithm", "theme", "parameter", "at", "ascii", "open", "follow", "against"}
_OF_NO_RUN |= {"hall", "theorem", "chart", "lesson", "lessons", "whole", "notes"}


class Request(Struct, frozen=True, eq=False):
    """What a command line asks for.

    Attributes:
        opened, player: the run and its player, or None for the catalogue.
        session: the session to be replayed and shown, or None.
        against: the runs to show beside it.
        at: the step to be shown first.
        theme: the look, None where none was named.
        ascii_alone: for terminals and fonts that have nothing else.
        front: what is to be in front.
        lesson: the lesson to go through, or None.
        lessons: whether the lessons are to be listed.
        notes: whether the notes of the lesson are to be shown, which is gone through in another terminal.
        watched_at: host and port where a class is to see the screen, or None.
        served_at: host and port where each visitor is to have the app, or None.
        whole: whether the run is to be shown whole, and not as far as one has been.
        clean: whether settings are left aside.
    """

    opened: LoadedRun | None = None
    player: Player | None = None
    against: tuple[ComparedRun, ...] = ()
    at: int = 0
    theme: Literal["dark", "light"] | None = None
    ascii_alone: bool = False
    session: "Opening | None" = None
    front: InFront = InFront()
    lesson: "Lesson | None" = None
    lessons: bool = False
    notes: bool = False
    watched_at: tuple[str, int] | None = None
    served_at: tuple[str, int] | None = None
    whole: bool = False
    clean: bool = False


def request_of(given: Namespace, program: str) -> Request:
    """Open what the parsed words ask for.

    Raises:
        Refused: when it cannot be opened.
    """
    if given.open is not None:
        session = _session(given, program)
        return Request(theme=given.theme, ascii_alone=given.ascii, session=session, whole=given.whole)
    if given.lesson is not None or given.lessons or given.notes:
        return _lesson(given)
    opened = _opened(given)
    if opened is None:
        _refuse_what_needs_a_run(given)
        return Request(theme=given.theme, ascii_alone=given.ascii, whole=given.whole)
    others, front = (
        _against(opened, given.against),
        in_front(opened.algorithm, given.theorem, given.chart, hall=given.hall),
    )
    if others and front != InFront():
        raise Refused("--hall, --theorem and --chart are for one run: they do not go with --against.")
    player = Player(opened.timeline())
    at = _place(player, "0" if given.at is None else given.at)
    return Request(opened, player, others, at, given.theme, given.ascii, front=front, whole=given.whole)


def _lesson(given: Namespace) -> Request:
    from algorithms.lectures.lessons import lesson_named

    if given.algorithm is not None or given.follow is not None or _of_a_run(given):
        raise Refused("a lesson has its own runs: --lesson and --lessons go with none.")
    lesson = None if given.lesson is None else lesson_named(given.lesson)
    if given.notes and lesson is None:
        raise Refused("notes are of one lesson: name it, as in --lesson em --notes.")
    request = Request(theme=given.theme, ascii_alone=given.ascii, lesson=lesson, whole=given.whole)
    return replace(request, lessons=given.lessons, notes=given.notes)


def _place(player: Player, text: str) -> int:
    """Find the step that --at names; beyond the end of the run, its end."""
    if text.isdecimal():
        return int(text)
    if player.timeline.algorithm.growing:
        raise Refused("a recording that is still being written has steps by number: --at 9.")
    from algorithms.playback.runs.place import place

    return place(player.timeline, text)


def _opened(given: Namespace) -> LoadedRun | None:
    if given.follow is None:
        return _run(given) if given.algorithm is not None else None
    if given.algorithm is not None:
        raise Refused("--follow shows a recording: name no algorithm beside it.")
    if given.parameter or _of_data(given):
        raise Refused("a recording has its data and parameters with it: give none with --follow.")
    from algorithms.cli.awaited import awaited

    awaited(given.follow)
    return recording(given.follow)


def _of_data(given: Namespace) -> bool:
    return bool(vars(given).keys() - _OF_NO_RUN)


def _run(given: Namespace) -> LoadedRun:
    from algorithms.saving.loading import is_own, named_algorithm

    if is_own(given.algorithm) and _is_recording(given.algorithm):
        if given.parameter or _of_data(given):
            raise Refused("a recording has its data and parameters with it: give none beside it.")
        return recording(given.algorithm)
    algorithm = named_algorithm(given.algorithm, apart=True)
    recipe = recipe_from(given, next(iter(algorithm.datasets), None))
    data, typed = loaded(recipe), parameters_from(given)
    checked = algorithm.problem(data, None, typed).parameters
    spec = given.algorithm if is_own(given.algorithm) else ""
    return LoadedRun(algorithm, recipe, data, {name: getattr(checked, name) for name in typed}, spec)


def ask_for(given: Namespace, run: LoadedRun) -> bool:
    """Tell whether parsed words, which name the algorithm of a run, ask for its data and parameters; loads nothing.

    Parameters that have no effect make no difference.

    Raises:
        Refused: for names and values that will not do.
    """
    algorithm = run.algorithm
    if recipe_from(given, next(iter(algorithm.datasets), None)) != run.recipe:
        return False
    asked, own = algorithm.checked(parameters_from(given)), algorithm.checked(run.parameters)

    def effective(parameters: Any) -> dict[str, Any]:
        names = [p.name for p in algorithm.parameters if not algorithm.changes_nothing(p.name, parameters)]
        return {name: getattr(parameters, name) for name in names}

    return effective(asked) == effective(own)


def _is_recording(path: str) -> bool:
    from algorithms.saving.runlog import is_recording

    return is_recording(path)


def _session(given: Namespace, program: str) -> "Opening":
    """Open the session named; it says itself what runs, but for code of the reader's own, which has to be named."""
    from algorithms.saving.loading import named_algorithm
    from algorithms.saving.session import Opening

    if given.follow is not None:
        raise Refused("--open is for a session and --follow for a recording: name one of them.")
    if _of_a_run(given):
        raise Refused("a session has its own data, parameters and step: --open goes with none of them.")
    algorithm = None if given.algorithm is None else named_algorithm(given.algorithm, apart=True)
    return Opening(given.open, algorithm, instead=f"{program} {{spec}} --open {{file}}")


def _against(opened: LoadedRun, texts: Sequence[str]) -> tuple[ComparedRun, ...]:
    if len(texts) >= MOST:
        raise Refused(
            f"{MOST} runs can be held against each other, so --against may be given {MOST - 1} times at most."
        )
    others = [against(opened, text) for text in texts]
    return tuple(ComparedRun("", Player(other.timeline()).timeline, other) for other in others)


def _of_a_run(given: Namespace) -> bool:
    shown = given.at is not None or given.hall or given.theorem or given.chart
    return bool(_of_data(given) or given.parameter or given.against or shown)


def _refuse_what_needs_a_run(given: Namespace) -> None:
    if _of_a_run(given):
        raise Refused(f"name the algorithm that this is for; there are {', '.join(names())}.")
