"""Completions: how a condition that is being typed could go on."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset
from algorithms.core.state import State
from algorithms.timeline.conditions.parser import CONSTANTS, TESTS, WAYS, Parser
from algorithms.timeline.conditions.tokens import Unreadable
from algorithms.timeline.conditions.values import FUNCTIONS
from algorithms.timeline.conditions.vocabulary import Vocabulary

_JOINED = ("<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "and", "or")
_PLAIN = ("a", "and", "any", "iteration", "not", "or", "phase", "row", "step", "t", "theorem")
_WORDS = {*_PLAIN, *WAYS, *FUNCTIONS, *TESTS, *CONSTANTS}
_MOST = 24


class Completion(Struct, frozen=True):
    """A way to go on.

    Attributes:
        text: the condition with it.
        word: what it adds, as it is listed.
        about: what that is, in a few words.
    """

    text: str
    word: str
    about: str


def completions(text: str, algorithm: Algorithm, data: Dataset, state: State | None = None) -> list[Completion]:
    """Complete a text at its end, best first; each completion is a condition, or the beginning of one.

    Args:
        state: one of the run's, by which the fields are known.
    """
    words = Vocabulary(algorithm, data, state.parts() if state is not None else None)
    offered: list[Completion] = []
    for kept, typed in _splits(text):
        whole = False
        for word, about in _candidates(words):
            whole = whole or word == typed
            fits = word.lower().startswith(typed.lower()) and word != typed
            longer = f"{kept}{word}"
            if fits and longer != text and not any(c.text == longer for c in offered) and _can_begin(longer, words):
                offered.append(Completion(longer, word, about))
        if offered and typed and not whole:  # what was begun is more likely meant than anything after it
            break
    return offered[:_MOST]


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Cut the text before its last word, its last two and so on, as names may hold blanks; and not at all."""
    for at in range(len(text)):
        begins = not text[at].isspace() and (at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_"))
        if begins and (text[at].isalpha() or not text[at].isascii()):
            yield text[:at], text[at:]
    yield text if not text or text[-1].isspace() or text[-1] in "([-+*/<>=," else f"{text} ", ""


def _can_begin(text: str, words: Vocabulary) -> bool:
    """Tell whether it is a condition, or would be one with more at its end."""
    try:
        Parser(text, words).condition()
    except Unreadable as refusal:
        return refusal.unfinished
    return True


def _candidates(words: Vocabulary) -> Iterator[tuple[str, str]]:
    """List every word of the grammar and every name, with its meaning."""
    for name in words.events:
        yield quoted(name), words.events[name] or "an event"
    for name, formula in words.curves.items():
        yield quoted(name), f"a curve: {formula}" if formula else "a curve"
    for name, example in words.fields.items():
        if name not in words.curves:
            yield quoted(name), _kind(example)
            if isinstance(example, np.ndarray) and example.ndim:
                yield f"{quoted(name)}[{','.join('0' * example.ndim)}]", f"an entry of {name}"
    for name, meaning in words.phases.items():
        if name not in words.events:
            yield quoted(name), meaning or "a phase"
    for way in WAYS:
        yield way, "against where it last was"
    for sign in _JOINED:
        yield sign, ""
    for name in FUNCTIONS:
        yield f"{name}(", "of an array" if name != "abs" else "without the sign"
    yield "isnan(", "where a value, or an entry of it, is not a number"
    yield "finite(", "where a value, with all its entries, is finite"
    if words.theorems:
        yield "a theorem fails", "any of them"
        for i, statement in enumerate(words.theorems, start=1):
            yield f"theorem {i} fails", statement
    yield "iteration", "its number; iteration 5: where it begins"
    yield "step 100", "that step"
    yield "t", "the number of the step"
    if words.data:
        yield "row 0 moves", f"of rows 0 to {words.data.n - 1}"
    if words.data and "row" in words.fields:
        yield "row 0 is visited", f"of rows 0 to {words.data.n - 1}"
    for word in ("moves", "is visited", "fails", "begins", "not", "phase"):
        yield word, ""


def _kind(example: object) -> str:
    if isinstance(example, np.ndarray) and example.ndim:
        return f"{' x '.join(map(str, example.shape))} numbers of the state"
    return "of the state"


def quoted(name: str) -> str:
    """Quote the name of a field, curve, phase or event where it would be read otherwise."""
    plain = name.strip() == name and (name[:1].isalpha() or not name[:1].isascii()) and not set("\"'") & set(name)
    if plain and name not in _WORDS:
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'
