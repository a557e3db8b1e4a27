"""Notation: a letter means one thing, a prime is what is after the step, and the same thing has one colour."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from algorithms import Algorithm, Dataset
from algorithms.core import Bars, Labels, Points
from algorithms.core.scene import Mark
from tests.conformance.runs import ensure, recorded, some

_ROWS = re.compile(r"(?<![A-Za-z])X'")  # there are no rows after a step: of X a prime could only transpose
_SQUARE = re.compile(r"(?<![A-Za-z])([A-Za-zΑ-ω])\1'|(?<![A-Za-z])([A-Za-zΑ-ω])'[A-ZΦΣ]+ ?\2(?!')")  # xx', v'Kv
_GENERAL = re.compile(r"\)' ?(Σ⁻¹|[A-Z](?=[\s(]))")  # (x - μ)'Σ⁻¹(x - μ)


def check_notation(algorithm: Algorithm) -> None:
    """A letter is explained once, and a transpose is ᵀ: a prime stands for what is after the step, or for a slope."""
    letters = Counter(letter.strip() for key in algorithm.symbols for letter in key.split(","))
    twice = [letter for letter, times in letters.items() if times > 1]
    ensure(not twice, f"{twice} are explained twice: a letter has one meaning in an algorithm")
    for text in _texts(algorithm):
        for found in (pattern.search(text) for pattern in (_ROWS, _SQUARE, _GENERAL)):
            ensure(found is None, f"a prime transposes in {text!r}; that is ᵀ, and ' is after the step")


def _texts(algorithm: Algorithm) -> Iterator[str]:
    """What is written in mathematics."""
    yield from (algorithm.about, algorithm.rule, *algorithm.phases.values())
    yield from (f"{letter}: {meaning}" for letter, (meaning, _) in algorithm.symbols.items())
    yield from (text for curve in algorithm.curves for text in (curve.name, curve.formula))
    for stated in (*algorithm.theorems, *algorithm.expectations):
        yield from (stated.statement, *stated.proof)


def check_colours(algorithm: Algorithm, data: Dataset) -> None:
    """What has a name has one colour: in every panel of a step, and in the curve of that name."""
    run = recorded(algorithm, data)
    declared = {curve.name: curve.tone for curve in algorithm.curves}
    for i in some(run.states):
        tones: dict[str, set[Any]] = {}
        for panel in algorithm.scene(run.problem, run.states[i - 1] if i else None, run.states[i]).panels:
            here: dict[str, set[Any]] = {}
            for name, tone in (named for mark in panel.marks for named in named_in(mark)):
                here.setdefault(name, set()).add(tone)
            for name, own in here.items():
                known = tones.setdefault(name, own)
                ensure(known & own, f"{name!r} is {own} in the panel {panel.title!r}, and {known} in another")
        for name in tones.keys() & declared.keys():
            other = declared[name]
            ensure(other in tones[name], f"{name!r} is {tones[name]} on the stage, and its curve has the tone {other}")


def named_in(mark: Mark) -> Iterator[tuple[str, Any]]:
    """Each name of a mark with its tone."""
    match mark:
        case Bars():
            yield from ((name, tone) for tone, name in mark.meanings)
        case Labels():
            yield from zip(mark.texts, mark.tones * len(mark.texts) if len(mark.tones) == 1 else mark.tones)
        case Points() if mark.classes is None and mark.shares is None:
            yield from ((name, mark.tone) for name in mark.names)
        case Points():
            yield from ((name, code) for code, name in enumerate(mark.names) if name)
        case _:
            name, tones = getattr(mark, "name", ""), getattr(mark, "tones", ())
            tone = getattr(mark, "tone", tones[0] if len(tones) == 1 else None)
            yield from ((name, tone),) if name and tone is not None else ()
