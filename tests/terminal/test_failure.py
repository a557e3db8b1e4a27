"""An error is told by kind and place: never by its text, its variables or a person's folders."""

from pathlib import Path

from tui.terminal.failure import report


def weigh(patient: str) -> float:
    try:
        return float(patient)
    except ValueError as error:
        raise LookupError(patient) from error


def told(patient: str) -> str:
    try:
        weigh(patient)
    except LookupError as error:
        return report(error)
    raise AssertionError


def test_kinds_and_places_are_told() -> None:
    text = told("Alice")
    assert "LookupError" in text.splitlines()[0]
    assert text.index("ValueError, raised through") < text.index("LookupError, raised through")
    assert f"{__name__}, line" in text
    assert "in weigh" in text
    assert "return float(patient)" in text


def test_data_and_folders_are_not() -> None:
    text = told("Alice\x1b[2J")
    assert "Alice" not in text
    assert "\x1b" not in text
    assert str(Path(__file__).parent) not in text


def test_a_circle_of_causes_is_told_once() -> None:
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    assert report(one).count("raised through") == 2
