"""Names longer than a file's may be: a sentence wherever a file can be named, and no end."""

from pathlib import Path

import pytest

from algorithms import Refused, datasets, find
from algorithms.cli.awaited import awaited
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import requested
from algorithms.playback.runs.variant import against, variant

LONG = "x" * 300


@pytest.mark.parametrize(
    "words",
    [
        [LONG],
        [f"{LONG}.py"],
        [f"{LONG}.py:mine"],
        [f"{LONG}.log"],
        ["--follow", LONG],
        ["--open", f"{LONG}.json"],
        ["--lesson", f"{LONG}.md"],
        ["lloyd", "--data", LONG],
        ["lloyd", "--data", f"{LONG}.csv"],
        ["lloyd", "--against", f"{LONG}.py"],
    ],
    ids=lambda words: " ".join(words).replace(LONG, "long"),
)
def test_a_command_line_that_names_one_is_refused_in_a_sentence(words: list[str]) -> None:
    with pytest.raises(Refused):
        requested(words)


def test_forms_that_are_given_one_refuse_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loaded = LoadedRun.usual(find("lloyd"))
    for ask in (
        lambda: variant(loaded, algorithm=LONG),
        lambda: variant(loaded, data=LONG),
        lambda: against(loaded, f"{LONG}: k=2"),
        lambda: datasets.load(LONG),
        lambda: awaited(LONG),
    ):
        with pytest.raises(Refused):
            ask()
