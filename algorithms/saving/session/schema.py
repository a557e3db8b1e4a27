"""The session file: readable JSON with a version and a checksum; what is damaged or foreign is refused in words."""

import math
import unicodedata
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from algorithms.core.edits import Edit
from algorithms.core.errors import Refused
from algorithms.core.text import printable
from algorithms.saving.files import read_plain, write_whole
from algorithms.saving.session.layout import lay_out
from algorithms.saving.session.sources import Written
from algorithms.timeline.branches import LONGEST
from algorithms.timeline.digests import TRACE, FieldDigest

FORMAT: Literal["iterscope session"] = "iterscope session"
VERSION: Literal[3] = 3
ALONE: Literal[2] = 2  # of a session without a comparison, which an iterscope of before opens too
MOST_BYTES = 16 << 20
MOST_BRANCHES, MOST_NOTED, MOST_EDITS, MOST_BREAKPOINTS = 200, 64, 10_000, 100
MOST_TRACED, TRACED_A_ROW = 4_096, 16  # steps of a branch, and of a line of the file
MOST_BESIDE, MOST_COMPARED = 50, 4
_MOST_VALUES = 10_000  # of parameters, and of a view
_DEEPEST = 32  # brackets within brackets

Step = Annotated[int, Meta(ge=0, le=10**9)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Text = Annotated[str, Meta(max_length=500)]
Aligned = Literal["step", "iteration", "time spent"]


class NotedStep(Struct, frozen=True, forbid_unknown_fields=True):
    """What the state at a step was: each of its fields."""

    t: Step
    fields: Annotated[dict[Text, FieldDigest], Meta(max_length=200)]


NotedSteps = Annotated[tuple[NotedStep, ...], Meta(max_length=MOST_NOTED)]


class SavedChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A `Change`, with arrays as nested lists; one that is not of float64 says what it is of."""

    parameters: dict[Text, Any] = {}
    edits: Annotated[tuple[Edit, ...], Meta(max_length=MOST_EDITS)] = ()
    state: dict[Text, Any] = {}


Trace = Annotated[
    tuple[Annotated[str, Meta(pattern="^([0-9a-f]{4})*$", max_length=2 * TRACE * TRACED_A_ROW)], ...],
    Meta(max_length=MOST_TRACED // TRACED_A_ROW),
]
NO_CHANGE = SavedChange()


class SavedBranch(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A `Branch`.

    Attributes:
        parent: the name of the branch it was forked from, which stands before it; "" for the first.
        at: where the fork was asked for.
        cursor: the step that was shown of it.
        ended: whether there was no next step after the last one.
    """

    name: Name
    parent: Annotated[str, Meta(max_length=LONGEST)] = ""
    at: Step = 0
    cursor: Step = 0
    ended: bool = False
    change: SavedChange = NO_CHANGE


class Shown(Struct, frozen=True, forbid_unknown_fields=True):
    """Which step of which branch is in hand."""

    branch: Name
    t: Step


class ComparedBranch(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of the runs that stand beside each other.

    Attributes:
        session: 0 for this one, i for the i-th of those beside it.
        branch: its name there.
        t: the step that was shown of it.
        look: the plane and the part of it that were in view; whatever shows it checks it.
    """

    session: Annotated[int, Meta(ge=0, le=MOST_BESIDE)]
    branch: Name
    t: Step = 0
    look: dict[Text, Any] = {}


class SavedComparison(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Runs beside each other.

    Attributes:
        runs: A, B, C, D.
        hand: which of them is in hand, from 0.
        aligned: what they have in common.
        along: where they stand on that: the step, the iteration, or the seconds.
        within: steps into the iteration, null for all of it; 0 otherwise.
        view: what of them is seen; whatever shows it checks it.
    """

    runs: Annotated[tuple[ComparedBranch, ...], Meta(min_length=2, max_length=MOST_COMPARED)]
    hand: Annotated[int, Meta(ge=0, lt=MOST_COMPARED)] = 0
    aligned: Aligned = "step"
    along: Annotated[float, Meta(ge=0, le=1e12)] = 0.0
    within: Annotated[float, Meta(ge=0, le=1e9)] | None = 0.0
    view: dict[Text, Any] = {}


class Session(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A run with its forks, as it stands in a file.

    Attributes:
        algorithm: its name.
        data: by name, as a path with the digest of the file's bytes, or as rows.
        cursor: what is in hand.
        branches: the tree, a parent before its children.
        version: of its form; since 2 a state is digested by the digests of its parts, and 3 has a comparison.
        states: of each branch, by name, steps whose states are to be as they were; it is run to the last of them.
        traces: of each branch whose states were at hand, two bytes for every step from where it begins.
        parameters: of the first run, all of them.
        spec: the reader's own file or module that the algorithm is in, "" for one of the catalogue.
        breakpoints: conditions as they were typed.
        view: how a screen shows it; whatever shows it checks it.
        written_by: what it was saved with: iterscope, NumPy, system and processor.
        compared: the runs that stood beside each other last, None where none did.
        beside: sessions of the runs from elsewhere, each with its own algorithm and data; none of these has others.
        check: the digest of all the rest; a file without it is taken as it is.
    """

    algorithm: Annotated[str, Meta(min_length=1, max_length=200)]
    data: Written
    cursor: Shown
    branches: Annotated[tuple[SavedBranch, ...], Meta(min_length=1, max_length=MOST_BRANCHES)]
    states: Annotated[dict[Name, NotedSteps], Meta(max_length=MOST_BRANCHES)]
    format: Literal["iterscope session"]
    version: Literal[1, 2, 3]
    traces: Annotated[dict[Name, Trace], Meta(max_length=MOST_BRANCHES)] = {}
    parameters: dict[Text, Any] = {}
    spec: Annotated[str, Meta(max_length=4096)] = ""
    breakpoints: Annotated[tuple[Text, ...], Meta(max_length=MOST_BREAKPOINTS)] = ()
    view: dict[Text, Any] = {}
    written_by: Text = ""
    compared: SavedComparison | None = None
    beside: "Annotated[tuple[Session, ...], Meta(max_length=MOST_BESIDE)]" = ()
    check: Annotated[str, Meta(max_length=64)] = ""


class _Head(Struct):
    format: str = ""
    version: int = 0


def write_session(session: Session, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write it as a whole.

    Raises:
        Refused: when it could not be read again (too large, names with control characters), or not be written.
        Exists: when a file of that name is there and may not be overwritten.
    """
    return write_whole(path, session_bytes(session), overwrite=overwrite)


def session_bytes(session: Session) -> bytes:
    """Write the file of a session, the same for the same session; `Refused` when it could not be read again."""
    try:
        plain = msgspec.to_builtins(session)
        session = msgspec.convert(plain, Session)  # as it will be read: a whole number where there is room for a part
        _check_plain(plain, "a session")
        _check_tree(session, "a session")
        plain = msgspec.to_builtins(replace(session, check=_checksum(session)))
    except (TypeError, OverflowError, msgspec.ValidationError) as error:
        raise Refused(f"this cannot be written down as a session: {printable(str(error))}.") from None
    content = lay_out(plain).encode()
    if len(content) > MOST_BYTES:
        raise Refused(
            f"this session would take {len(content) / 2**20:.0f} MiB and {MOST_BYTES >> 20} are the most: "
            "delete branches that are not needed."
        )
    return content


def read_session(path: str | Path) -> Session:
    """Read the session in a file; `Refused` says in a sentence why there is none."""
    return session_in(read_plain(path, "a session", MOST_BYTES), printable(Path(path).name))


def session_in(content: bytes, file: str) -> Session:
    """Read the session in the bytes of a file called so."""
    head = _decoded(content, _Head, f"{file} is not a session of iterscope")
    if head.format != FORMAT:
        raise Refused(f"{file} is not a session of iterscope.")
    if head.version > VERSION:
        raise Refused(
            f"{file} was saved by a newer iterscope: its form is {head.version}, this one reads {VERSION}. "
            "Update to open it."
        )
    session: Session = _decoded(content, Session, f"{file} is damaged")
    if not all(_few(loose, _MOST_VALUES) for each in (session, *session.beside) for loose in _loose(each)):
        raise Refused(f"{file} is damaged: it holds more values than there can be.")
    _check_plain(msgspec.to_builtins(session), file)
    _check_tree(session, file)
    if session.check and session.check != _checksum(session):
        raise Refused(
            f"{file} is damaged: it holds something else than was saved. "
            'If it was edited by hand, take its "check" out.'
        )
    return session


def _loose(session: Session) -> Iterator[dict[str, Any]]:
    """Iterate over what may hold values of any kind."""
    yield session.view
    yield session.parameters
    yield from (branch.change.parameters for branch in session.branches)
    if session.compared is not None:
        yield session.compared.view
        yield from (run.look for run in session.compared.runs)


def _decoded(content: bytes, kind: Any, sentence: str) -> Any:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        text, _, where = str(error).replace("`", "").partition(" - at $")
        reason = f"{text[0].lower()}{text[1:]}{f' at {where.lstrip(chr(46))}' if where else ''}"
    except RecursionError:
        reason = "it is nested too deeply"
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        text = str(error)
        reason = text if text.startswith("JSON") else text[:1].lower() + text[1:]
    raise Refused(f"{sentence}: {printable(reason).rstrip('.')}.") from None


def _checksum(session: Session) -> str:
    plain = msgspec.json.encode(replace(session, check=""), order="deterministic")
    return blake2b(plain, digest_size=16).hexdigest()


def _check_plain(value: Any, file: str, depth: int = 0) -> None:
    """Refuse what is nested too deeply, numbers that no file brings back, and texts that steer a terminal."""
    if depth > _DEEPEST:
        raise Refused(f"{file} is damaged: it is nested too deeply.")
    if isinstance(value, dict):
        for key, part in value.items():
            _check_plain(key, file)
            _check_plain(part, file, depth + 1)
    elif isinstance(value, list | tuple):
        for part in value:
            _check_plain(part, file, depth + 1)
    elif isinstance(value, str):
        if not value.isascii() or not value.isprintable():
            _check_text(value, file)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise Refused(f"{file} cannot hold the number {value}.")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise Refused(f"{file} is damaged: a whole number in it is too large.")


def _few(value: Any, most: int) -> bool:
    """Tell whether there are so many values at most, whatever is nested in what."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            most -= len(one)
            if most < 0:
                return False
            waiting.extend(one.values() if isinstance(one, dict) else one)
    return True


def _check_text(text: str, file: str) -> None:
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text):
        raise Refused(f"{file} will not do: it holds a text with control characters ({printable(text)[:60]!r}).")


def _check_tree(session: Session, file: str) -> None:
    """Check that the branches make one tree, each after its parent, and what is in hand is one of them."""
    known: dict[str, SavedBranch] = {}

    def refuse(reason: str) -> NoReturn:
        raise Refused(f"{file} is damaged: {reason}.")

    for i, branch in enumerate(session.branches):
        if branch.name in known:
            refuse(f"two branches are called {branch.name!r}")
        if not i and branch.parent:
            refuse("the first branch has a parent")
        if i and branch.parent not in known:
            refuse(f"the parent of {branch.name!r} does not stand before it")
        steps = [one.t for one in session.states.get(branch.name, ())]
        if steps != sorted(set(steps)):
            refuse(f"the noted steps of {branch.name!r} are not in order")
        known[branch.name] = branch
    if (session.states.keys() | session.traces.keys()) - known.keys():
        refuse("it notes states of a branch that it does not have")
    if session.cursor.branch not in known:
        refuse(f"there is no branch {session.cursor.branch!r} to show")
    _check_comparison(session, file)


def _check_comparison(session: Session, file: str) -> None:
    """Check that the sessions beside it stand for themselves, and the runs that are compared are there."""
    for beside in session.beside:
        if beside.beside or beside.compared is not None:
            raise Refused(f"{file} is damaged: a session beside another has a comparison of its own.")
        _check_tree(beside, file)
    compared = session.compared
    if compared is None:
        return
    trees = [{branch.name for branch in each.branches} for each in (session, *session.beside)]
    named = [(run.session, run.branch) for run in compared.runs]
    if len(set(named)) < len(named) or any(i >= len(trees) or name not in trees[i] for i, name in named):
        raise Refused(f"{file} is damaged: it compares a run that it does not have, or one with itself.")
    if compared.hand >= len(named):
        raise Refused(f"{file} is damaged: the run in hand is none of those that are compared.")
