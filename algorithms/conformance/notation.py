"""Notation: a letter means one thing, a prime is what is after the step, and the same thing has one colour."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from algorithms import Algorithm, Dataset
from algorithms.conformance.contract import letters
from algorithms.conformance.runs import ensure, recorded, some
from algorithms.core import Bars, Labels, Points
from algorithms.core.scene import Mark

_ROWS = re.compile(r"(?<![A-Za-z])X'")  # there are no rows after a step: of X a prime could only transpose
_SQUARE = re.compile(r"(?<![A-Za-z])([A-Za-zΑ-ω])\1'|(?<![A-Za-z])([A-Za-zΑ-ω])'[A-ZΦΣ]+ ?\2(?!')")  # xx', v'Kv
_OF_ALL = {*"ΣΠΔπΓ"}  # sums, products, differences, and what everyone calls so
_GENERAL = re.compile(r"\)' ?(Σ⁻¹|[A-Z](?=[\s(]))")  # (x - μ)'Σ⁻¹(x - μ)


def check_notation(algorithm: Algorithm) -> None:
    """A letter is explained once, and a transpose is ᵀ: a prime stands for what is after the step, or for a slope."""
    letters = Counter(letter.strip() for key in algorithm.symbols for letter in key.split(","))
    twice = [letter for letter, times in letters.items() if times > 1]
    ensure(not twice, f"{twice} are explained twice: a letter has one meaning in an algorithm")
    for text in _texts(algorithm):
        for found in (pattern.search(text) for pattern in (_ROWS, _SQUARE, _GENERAL)):
            ensure(found is None, f"a prime transposes in {text!r}; that is ᵀ, and ' is after the step")


def check_letters_of_proofs(algorithm: Algorithm) -> None:
    """A letter of a proof or a hypothesis is in `symbols`, or introduced where the proof first has it."""
    known = {letter for letter, _ in letters(", ".join(algorithm.symbols))} | _letters_in(", ".join(algorithm.symbols))
    for theorem in algorithm.theorems:
        text = " ; ".join((*theorem.hypotheses, *theorem.proof))
        for letter in sorted({letter for letter, _ in letters(text)} | _letters_in(text)):
            where = f"the proof of {theorem.statement!r} does not say what {letter} is"
            ensure(letter in known or letter in _OF_ALL or _introduced(letter, text), where)


def _letters_in(text: str) -> set[str]:
    return set(re.findall("[α-ωΑ-Ω]", text))


def _introduced(letter: str, text: str) -> bool:
    """Tell whether a letter is quantified ("for every v"), defined ("with c = ...") or named ("the slope s of") where
    it comes first."""
    one = rf"(?<![A-Za-zα-ωΑ-Ω_']){letter}(?![A-Za-zα-ωΑ-Ω])"
    first = re.search(one, text)
    beside, index = r"(?:[A-Za-zα-ω]\w?(?:, | and ))?", r"(?:[ᵢⱼ₀-₉_]\w*)?(?:\([^()]*\))?'?"
    ways = (
        rf"\b(?:any|every|each|all|some|let|call|where|two|for|over)\s+(?:[a-z]+,? ){{0,2}}{beside}{one}",
        rf"(?:^|[,;.:(] ?|\b(?:and|so|is|with|as|of|the|for) ){one}{index} ?(?:=|is |are |>|<|≥|≤|in )",
        rf"\b[a-z]{{3,}} {one}(?= (?:of|that|which|with)\b)",
    )
    found = (re.search(way, text) for way in ways)
    return first is None or any(each and each.start() <= first.start() <= each.end() for each in found)


def _texts(algorithm: Algorithm) -> Iterator[str]:
    """What is written in mathematics."""
    yield from (algorithm.about, algorithm.rule, *algorithm.phases.values())
    yield from (f"{letter}: {meaning}" for letter, (meaning, _) in algorithm.symbols.items())
    yield from (text for curve in algorithm.curves for text in (curve.name, curve.formula))
    for theorem in algorithm.theorems:
        yield from (theorem.statement, *theorem.proof)
    for expectation in algorithm.expectations:
        yield from (expectation.statement, *expectation.proof)


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
            name = getattr(mark, "name", "")
            tones: tuple[Any, ...] = getattr(mark, "tones", ())
            tone = getattr(mark, "tone", tones[0] if len(tones) == 1 else None)
            yield from ((name, tone),) if name and tone is not None else ()
