"""What one has answered so far: a line an answer, in the platform's folder for the state of programs."""

import json
import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from algorithms.core.system import OWN

_MOST = 4 << 20  # bytes that are read, the newest
_LONGEST = 400  # characters of a question that is kept


class Score(Struct, frozen=True):
    """How many answers were right, of how many."""

    right: int = 0
    asked: int = 0


def in_words(score: Score) -> str:
    """Say a score: "2 of 5 right"; "" where nothing was answered."""
    return f"{score.right} of {score.asked} right" if score.asked else ""


def answers_file() -> Path:
    """Find the file that answers are kept in."""
    from platformdirs import user_state_path

    return user_state_path("iterscope", appauthor=False) / "answers.jsonl"


def note(of: str, question: str, right: bool) -> None:
    """Keep an answer. Where it cannot be written it is not remembered, and nothing else is the worse for it.

    Args:
        of: the algorithm that asked, or the lesson's file, "lesson 03-em.md".
    """
    line = json.dumps({"of": of, "question": question[:_LONGEST], "right": right}, ensure_ascii=False)
    with suppress(OSError):
        path = answers_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | OWN, 0o600)
        try:
            os.write(number, f"{line}\n".encode())  # in one go: lines of two apps do not mix
        finally:
            os.close(number)


def score_of(of: str) -> Score:
    """Count the answers to an algorithm's questions: each is another one, at another step."""
    given = [right for name, _, right in _noted() if name == of]
    return Score(sum(given), len(given))


def lesson_scores() -> dict[str, Score]:
    """Count by the file of a lesson the questions that were answered, as they were last."""
    last: dict[str, dict[str, bool]] = defaultdict(dict)
    for name, question, right in _noted():
        if name.startswith(_LESSON):
            last[name.removeprefix(_LESSON)][question] = right
    return {name: Score(sum(given.values()), len(given)) for name, given in last.items()}


def note_lesson(lesson: str, question: str, right: bool) -> None:
    """Keep an answer to a question of a lesson."""
    note(f"{_LESSON}{lesson}", question, right)


def _noted() -> list[tuple[str, str, bool]]:
    """Read what there is; a line that is none of ours, as one that was cut short, is passed over."""
    noted: list[tuple[str, str, bool]] = []
    try:
        with answers_file().open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _MOST, 0))
            lines = file.read(_MOST).splitlines()
    except OSError:
        return noted
    for line in lines:
        with suppress(ValueError, UnicodeDecodeError):
            one = json.loads(line)
            if isinstance(one, dict):
                of, question, right = one.get("of"), one.get("question"), one.get("right")
                if isinstance(of, str) and isinstance(question, str) and isinstance(right, bool):
                    noted.append((of, question, right))
    return noted


_LESSON = "lesson "
