"""Session files: what was saved is read again, and nothing else is; whatever stands in a file, the answer is words."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from algorithms import Add, Label, Move, Refused, Remove
from algorithms.saving.session.schema import (
    FORMAT,
    MOST_BYTES,
    VERSION,
    NotedStep,
    SavedBranch,
    SavedChange,
    Session,
    Shown,
    read_session,
    session_bytes,
    session_in,
    write_session,
)
from algorithms.saving.session.sources import Embedded, FromFile, Named
from algorithms.timeline.digests import FieldDigest
from tests.examples import examples

NOTED = (NotedStep(0, {"w": FieldDigest("0" * 16, "float64 (2,)", (1.5, "nan"))}), NotedStep(7, {}))
SESSION = Session(
    algorithm="lloyd",
    data=Named({"name": "blobs", "n": 50, "scale": True}),
    cursor=Shown("eta 1 -> 0.1 at 37", 41),
    branches=(
        SavedBranch("first run"),
        SavedBranch(
            "eta 1 -> 0.1 at 37",
            "first run",
            37,
            41,
            True,
            SavedChange(
                {"eta": 0.1},
                (Add((0.1, 2.0)), Move(3, (1e-300, -0.0)), Remove(0), Label(2, 1.0)),
                {"w": [[0.30000000000000004, 1.0]]},
            ),
        ),
    ),
    states={"first run": NOTED, "eta 1 -> 0.1 at 37": ()},
    format=FORMAT,
    version=VERSION,
    parameters={"eta": 1.0, "hidden": [8, 4], "tolerance": "inf"},
    breakpoints=("loss < 0.1",),
    view={"plane": "waiting against eruptions", "limits": {"data": [0.0, 1.5, 2.0, 3.0]}},
)
CONTENT = session_bytes(SESSION)


def opened(content: bytes) -> Session:
    return replace(session_in(content, "lesson.json"), check="")


def refusal(content: bytes) -> str:
    with pytest.raises(Refused) as refused:
        session_in(content, "lesson.json")
    said = str(refused.value)
    assert said.startswith("lesson.json ")
    assert said.isprintable()
    assert len(said) < 300
    return said


def changed(**changes: Any) -> bytes:
    """The file with some of it changed by hand, and without its checksum."""
    plain = json.loads(CONTENT) | changes
    del plain["check"]
    return json.dumps(plain).encode()


def test_what_was_saved_is_read_again() -> None:
    assert opened(CONTENT) == SESSION
    assert session_bytes(opened(CONTENT)) == CONTENT


texts = st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
places = st.lists(numbers, min_size=1, max_size=3).map(tuple)
rows = st.integers(0, 2**40)
edits = st.lists(
    st.one_of(
        st.builds(Add, places, st.none() | numbers),
        st.builds(Move, rows, places),
        st.builds(Remove, rows),
        st.builds(Label, rows, numbers),
    ),
    max_size=4,
).map(tuple)
plain = st.recursive(
    numbers | texts | st.booleans() | st.integers(-(2**63), 2**63 - 1), lambda x: st.lists(x, max_size=4)
)
plains = st.dictionaries(texts, plain, max_size=4)
notes = st.builds(
    FieldDigest,
    st.integers(0, 2**64 - 1).map("{:016x}".format),
    texts,
    st.lists(numbers | st.sampled_from(["nan", "inf", "-inf"]), max_size=8).map(tuple),
)
rest = st.fixed_dictionaries(
    {
        "data": st.one_of(
            st.builds(Named, plains),
            st.builds(FromFile, plains, st.integers(0, 2**128 - 1).map("{:032x}".format), st.integers(0, 2**40)),
            st.builds(Embedded, texts, st.lists(places, min_size=1, max_size=4).map(tuple), st.just(())),
        ),
        "parameters": plains,
        "view": plains,
        "breakpoints": st.lists(texts, max_size=4).map(tuple),
        "spec": st.just("") | texts,
    }
)


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    branches = [SavedBranch(names[0], cursor=draw(st.integers(0, 10**9)))]
    for i in range(1, len(names)):
        change = SavedChange(draw(plains), draw(edits), draw(plains))
        branches.append(
            SavedBranch(names[i], draw(st.sampled_from(names[:i])), draw(st.integers(0, 10**9)), 0, False, change)
        )
    steps = st.lists(st.integers(0, 10**9), unique=True, max_size=3).map(sorted)
    states = {
        name: tuple(NotedStep(t, draw(st.dictionaries(texts, notes, max_size=2))) for t in draw(steps))
        for name in names
    }
    given = draw(rest)
    cursor = Shown(draw(st.sampled_from(names)), draw(st.integers(0, 10**9)))
    return Session("lloyd", given.pop("data"), cursor, tuple(branches), states, FORMAT, VERSION, **given)


@settings(max_examples=examples(60), deadline=None)
@given(sessions())
def test_any_session_is_read_again_and_written_the_same(session: Session) -> None:
    content = session_bytes(session)
    assert opened(content) == session
    assert session_bytes(opened(content)) == content


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 7))
def test_a_flipped_bit_is_refused_or_does_not_matter(at: int, bit: int) -> None:
    flipped = bytearray(CONTENT)
    flipped[at] ^= 1 << bit
    with suppress(Refused):
        assert opened(bytes(flipped)) == SESSION


def test_a_file_cut_short_is_refused() -> None:
    for length in range(len(CONTENT) - 1):
        refusal(CONTENT[:length])
    assert opened(CONTENT[:-1]) == SESSION  # the end of the last line


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=200))
def test_any_other_bytes_are_refused(content: bytes) -> None:
    refusal(content)


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(sorted(json.loads(CONTENT))), plain | plains | st.none())
def test_anything_in_any_place_is_words_or_a_session(key: str, value: Any) -> None:
    with suppress(Refused):
        session_bytes(session_in(changed(**{key: value}), "lesson.json"))


def test_another_files_json_is_not_a_session() -> None:
    for content in (b"{}", b"[]", b"3", b'{"format": "a notebook", "version": 9}', b"\xff\xfe", b"", b"PK\x03\x04"):
        assert "is not a session of iterscope" in refusal(content)
    assert "session of iterscope: JSON is malformed" in refusal(b"def f(X):")


def test_a_newer_one_says_so() -> None:
    content = b'{"format": "iterscope session", "version": 4, "worlds": []}'
    assert refusal(content) == (
        "lesson.json was saved by a newer iterscope: its form is 4, this one reads 3. Update to open it."
    )


def test_an_edit_by_hand_is_seen_and_can_be_meant() -> None:
    edited = CONTENT.replace(b'"cursor": 41', b'"cursor": 40')
    assert edited != CONTENT
    assert '"check"' in refusal(edited)
    assert session_in(changed(spec="mine.py"), "lesson.json").spec == "mine.py"


def branch(name: str, parent: str = "", **rest: Any) -> dict[str, Any]:
    return {"name": name, "parent": parent, **rest}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"branches": []}, "length >= 1"),
        ({"branches": [branch(f"b{i}", "b0" if i else "") for i in range(201)]}, "length <= 200"),
        ({"branches": [branch("a"), branch("a", "a")]}, "two branches are called 'a'"),
        ({"branches": [branch("a", "b"), branch("b", "a")]}, "the first branch has a parent"),
        ({"branches": [branch("a"), branch("b", "c"), branch("c", "b")]}, "does not stand before it"),
        ({"branches": [branch("a"), branch("b", "b")]}, "does not stand before it"),
        ({"branches": [branch("a\x1b]2;title\x07")], "cursor": {"branch": "a", "t": 0}, "states": {}}, "control"),
        ({"branches": [branch("x" * 61)]}, "length <= 60"),
        ({"branches": [branch("a")], "states": {}}, "no branch 'eta 1 -> 0.1 at 37' to show"),
        ({"branches": [branch("a", at=-1)]}, ">= 0"),
        ({"branches": [branch("a", at=10**10)]}, "<= 1000000000"),
        ({"branches": [branch("a", at=1.5)]}, "expected `int`".replace("`", "")),
        ({"branches": [branch("a", at="1")]}, "expected int"),
        ({"branches": {"a": 1}}, "expected array"),
        ({"states": {"nobody": []}}, "does not have"),
        ({"states": {"first run": [{"t": 3, "fields": {}}, {"t": 1, "fields": {}}]}}, "not in order"),
        ({"cursor": {"branch": "first run", "t": True}}, "expected int"),
        ({"parameters": {"k": 10**30}}, "too large"),
        ({"data": {"from": "pickle", "recipe": {}}}, "pickle"),
        ({"view": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}, "nested"),
        ({"view": {"\u202eelif": 1}}, "control"),
        ({"view": {"a": [[0] * 100] * 100}}, "more values"),
        ({"parameters": {"k": {str(i): [] for i in range(10_001)}}}, "more values"),
        ({"breakpoints": ["x" * 501]}, "length <= 500"),
        ({"algorithm": None}, "expected str"),
        ({"run": "import os"}, "unknown field"),
    ],
)
def test_what_cannot_be_meant_is_refused(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(changed(**changes))


def test_numbers_that_are_none_are_refused() -> None:
    for number in (b"NaN", b"Infinity", b"1e999", b"-1e999", b"1" * 5000, b"0x10"):
        refusal(CONTENT.replace(b'"cursor": 41', b'"cursor": ' + number))


def test_brackets_without_end_are_refused() -> None:
    refusal(b"[" * 1_000_000)
    refusal(CONTENT.replace(b'"view": {', b'"view": {"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b", "))


def test_a_session_that_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(Refused, match="control characters"):
        session_bytes(replace(SESSION, spec="mine\x1b.py"))
    with pytest.raises(Refused, match="nan"):
        session_bytes(replace(SESSION, view={"at": float("nan")}))
    with pytest.raises(Refused, match="MiB"):
        session_bytes(replace(SESSION, view={"much": ["x" * 400] * (MOST_BYTES // 400)}))
    with pytest.raises(Refused):
        session_bytes(replace(SESSION, view={"what": object()}))


def test_a_file_is_written_whole_and_not_over_another(tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    write_session(SESSION, path)
    assert replace(read_session(path), check="") == SESSION
    with pytest.raises(Refused, match="there already"):
        write_session(SESSION, path)
    write_session(replace(SESSION, spec="mine.py"), path, overwrite=True)
    assert read_session(path).spec == "mine.py"
    assert os.listdir(tmp_path) == ["lesson.json"]


def test_what_is_no_file_or_too_large_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "huge.json").touch()
    os.truncate(tmp_path / "huge.json", MOST_BYTES + 1)
    for path in (
        tmp_path,
        tmp_path / "pipe",
        tmp_path / "none.json",
        tmp_path / "huge.json",
        Path("/dev/zero"),
        "a\0b",
    ):
        with pytest.raises(Refused):
            read_session(path)


def test_a_person_can_read_it() -> None:
    text = CONTENT.decode()
    assert max(map(len, text.splitlines())) <= 120
    assert '"data": {"from": "name", "recipe": {"n": 50, "name": "blobs", "scale": true}}' in text
    assert msgspec.json.decode(CONTENT)["branches"][1]["change"]["edits"][0] == {
        "type": "add",
        "at": [0.1, 2.0],
        "y": None,
    }
