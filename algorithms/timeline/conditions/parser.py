"""Parser: a condition's tokens to a Predicate, by recursive descent; nothing is ever evaluated as Python."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core.errors import Refused
from algorithms.core.search import theorem_named
from algorithms.timeline.conditions.combined import Either, Every, Not
from algorithms.timeline.conditions.comparisons import COMPARISONS, Changes, Compare, IsFinite, IsNaN
from algorithms.timeline.conditions.predicates import (
    Begins,
    Fails,
    Happened,
    InPhase,
    Predicate,
    RowMoves,
    Visited,
)
from algorithms.timeline.conditions.tokens import Token, Unreadable, tokens
from algorithms.timeline.conditions.values import (
    FUNCTIONS,
    Arithmetic,
    CurveValue,
    Field,
    Function,
    Iteration,
    Number,
    Place,
    Side,
    Value,
)
from algorithms.timeline.conditions.vocabulary import Vocabulary

WAYS = ("rises", "falls", "changes")
_PLACES = ("t", "step")
TESTS = {"isnan": IsNaN, "finite": IsFinite}
CONSTANTS = {"nan": math.nan, "NaN": math.nan, "inf": math.inf}
_DEEPEST = 40  # parentheses, nots and minus signs inside each other


class Parser:
    """Reads one condition.

    Raises:
        Unreadable: with what is wrong and where.
    """

    def __init__(self, text: str, words: Vocabulary):
        self.text, self.words = text, words
        self._tokens = tokens(text, words.names)
        self._at = self._depth = 0

    def condition(self) -> Predicate:
        """Parse the whole text."""
        if self._now.kind == "end":
            raise self._wrong("say what is to hold, as in: t >= 100")
        predicate = self._either()
        if self._now.kind != "end":
            raise self._wrong(f"{self._now.text!r} does not go on from here; and, or would")
        return predicate

    def value(self) -> Value:
        """Parse the whole text as a value."""
        value = self._sum()
        if self._now.kind != "end":
            raise self._wrong(f"{self._now.text!r} does not go on from here")
        return value

    # Looking at tokens

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _next(self, by: int = 1) -> Token:
        return self._tokens[min(self._at + by, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._now
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _is(self, *words: str, by: int = 0) -> bool:
        token = self._next(by)
        return token.kind in ("name", "sign") and not token.quoted and token.text in words

    def _expect(self, *words: str, otherwise: str = "") -> Token:
        if not self._is(*words):
            raise self._wrong(otherwise or f"{' or '.join(words)} is wanted here")
        return self._take()

    def _wrong(self, reason: str, token: Token | None = None) -> Unreadable:
        token = token or self._now
        return Unreadable(reason, self.text, token.at, token.end)

    def _deeper(self, by: int) -> None:
        self._depth += by
        if self._depth > _DEEPEST:
            raise self._wrong("too much stands inside each other")

    # Statements

    def _either(self) -> Predicate:
        alternatives = [self._every()]
        while self._is("or"):
            self._take()
            alternatives.append(self._every())
        return alternatives[0] if len(alternatives) == 1 else Either(tuple(alternatives))

    def _every(self) -> Predicate:
        conditions = [self._not()]
        while self._is("and"):
            self._take()
            conditions.append(self._not())
        return conditions[0] if len(conditions) == 1 else Every(tuple(conditions))

    def _not(self) -> Predicate:
        if not self._is("not"):
            return self._simple()
        self._take()
        self._deeper(1)
        inside = self._not()
        self._deeper(-1)
        return Not(inside)

    def _simple(self) -> Predicate:
        if self._is("(") and not self._is_value_in_parentheses():
            self._take()
            self._deeper(1)
            inside = self._either()
            self._deeper(-1)
            self._expect(")")
            return inside
        following = self._next()
        if self._is("a", "any") and self._is("theorem", by=1):
            return self._a_theorem()
        if following.kind == "number":
            if self._is("theorem"):
                return self._theorem()
            if self._is("step"):
                self._take()
                return Compare((Place(), Number(self._whole("steps"))), ("==",))
            if self._is("iteration"):
                self._take()
                number = self._whole("iterations")
                if self._is("begins"):
                    self._take()
                return Begins(number)
            if self._is("row"):
                return self._row()
        if self._is("phase") and "phase" not in self.words.fields:
            return self._phase()
        if self._is(*TESTS) and self._is("(", by=1) and self._now.text not in self.words.fields:
            test = TESTS[self._take().text]
            self._take()
            return test(self._inside())
        if self._now.kind == "name" and not self._goes_on():
            return self._named(self._take())
        return self._comparison()

    def _is_value_in_parentheses(self) -> bool:
        """Tell by what follows the parentheses whether they hold a value and not a condition."""
        depth = 0
        for i in range(self._at, len(self._tokens)):
            token = self._tokens[i]
            if token.kind == "sign":
                depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                after = self._tokens[i + 1]
                return after.text in (*COMPARISONS, *WAYS, "+", "-", "*", "/", "**") and after.kind != "end"
        return False

    def _goes_on(self) -> bool:
        """Tell whether the current name is computed with or compared."""
        after = self._next()
        if self._is("side") and after.kind == "number":
            return True
        return after.kind == "sign" and after.text not in (")", ",", "]") or self._is(*WAYS, by=1)

    def _a_theorem(self) -> Predicate:
        self._take()
        token = self._take()
        self._expect("fails")
        if not self.words.theorems:
            raise self._wrong(f"{self.words.algorithm.title} has no theorems", token)
        return Fails(tuple(self.words.algorithm.theorems))

    def _theorem(self) -> Predicate:
        self._take()
        token = self._now
        number, count = self._whole("theorems"), len(self.words.theorems)
        if not 1 <= number <= count:
            has = f"has {count}, counted from 1" if count else "has no theorems"
            raise self._wrong(f"there is no theorem {number}: {self.words.algorithm.title} {has}", token)
        self._expect("fails")
        return Fails((self.words.algorithm.theorems[number - 1],))

    def _row(self) -> Predicate:
        first = self._take()
        token = self._now
        row, rows = self._whole("rows"), self.words.data.n
        if not rows:
            raise self._wrong(f"there is no row {row}: {self.words.algorithm.title} works on no data", token)
        if row >= rows:
            raise self._wrong(f"there is no row {row}: {self.words.data.name} has rows 0 to {rows - 1}", token)
        if self._is("moves"):
            self._take()
            return RowMoves(row)
        self._expect("is", otherwise="'is visited' or 'moves' is wanted here")
        self._expect("visited")
        if "row" not in self.words.fields and not self.words.any_field:
            title = self.words.algorithm.title
            raise self._wrong(f"the states of {title} name no current row; row {row} moves would do", first)
        return Visited(row, Field("row", assumed=self.words.any_field))

    def _phase(self) -> Predicate:
        self._take()
        if self._is("is", "=="):
            self._take()
        name = self._take()
        if name.kind != "name" or name.text not in self.words.phases:
            known = ", ".join(self.words.phases)
            end = name if name.kind != "end" else None
            raise self._wrong(f"the phases are {known}", end)
        return InPhase(name.text)

    def _named(self, name: Token) -> Predicate:
        """Parse an event or a phase by its bare name."""
        for i, event in enumerate(self.words.algorithm.events):
            if event.name == name.text:
                return InPhase(event.phase) if event.phase else Happened(i, event.name)
        if name.text in self.words.phases:
            return InPhase(name.text)
        value, entry = self._value_named(name), name.text
        example = self.words.fields.get(entry) if isinstance(value, Field) else None
        if isinstance(example, np.ndarray) and example.size != 1:
            entry = f"{entry}[{','.join('0' * example.ndim)}]"
        raise self._wrong(f"to be compared, as in: {entry} >= 10, or {name.text} changes", self._now)

    def _comparison(self) -> Predicate:
        first = self._now
        value = self._sum()
        if self._is(*WAYS):
            way: Any = self._take().text
            if way != "changes":
                self._check_number(value, first)
            return Changes(value, way)
        values, signs = [value], []
        while self._is(*COMPARISONS):
            self._check_number(values[-1], first)
            signs.append(self._take().text)
            first = self._now
            values.append(self._sum())
        if not signs:
            raise self._wrong("a comparison is wanted here, or rises, falls, changes")
        self._check_number(values[-1], first)
        if any(_is_nan(value) for value in values):
            return self._against_nan(values, signs, first)
        return Compare(tuple(values), tuple(signs))

    def _against_nan(self, values: list[Value], signs: list[str], token: Token) -> Predicate:
        """Parse a comparison with nan: x == nan means isnan(x); no other one but its opposite has a meaning."""
        value = values[0] if _is_nan(values[1]) else values[1]
        if len(values) > 2 or signs[0] not in ("==", "!="):
            raise self._wrong("nothing is more or less than nan: isnan(...) holds where a value is", token)
        return IsNaN(value) if signs[0] == "==" else Compare((value, value), ("==",))  # NaN alone is not itself

    # Values

    def _sum(self) -> Value:
        return self._joined(self._product, "+", "-")

    def _product(self) -> Value:
        return self._joined(self._signed, "*", "/")

    def _joined(self, operand: Callable[[], Value], *joining: str) -> Value:
        """Parse operands with signs between them to one value, however many there are."""
        values, signs = [operand()], []
        while self._is(*joining):
            signs.append(self._take().text)
            values.append(operand())
        return Arithmetic(tuple(values), tuple(signs)) if signs else values[0]

    def _signed(self) -> Value:
        if not self._is("-", "+"):
            return self._power()
        sign = self._take().text
        self._deeper(1)
        value = self._signed()
        self._deeper(-1)
        return value if sign == "+" else Arithmetic((Number(0.0), value), ("-",))

    def _power(self) -> Value:
        base = self._atom()
        if not self._is("**"):
            return base
        self._take()
        self._deeper(1)
        value = Arithmetic((base, self._signed()), ("**",))
        self._deeper(-1)
        return value

    def _atom(self) -> Value:
        token = self._take()
        if token.kind == "number":
            return Number(float(token.text))
        if token.kind == "sign" and token.text == "(":
            return self._inside()
        if token.kind != "name":
            if token.kind == "end":
                raise self._wrong("a number, a field or a curve is wanted here")
            raise self._wrong(f"a number, a field or a curve is wanted, not {token.text!r}", token)
        if token.text in FUNCTIONS and self._is("(") and not token.quoted:
            self._take()
            return Function(token.text, self._inside())
        if token.text == "side" and self._now.kind == "number" and not token.quoted:
            return self._side()
        value = self._value_named(token)
        index = self._index(token, value) if self._is("[") else ()
        return replace(value, index=index) if index and isinstance(value, Field) else value

    def _side(self) -> Value:
        token = self._now
        number = self._whole("sides")
        if not number:
            raise self._wrong("sides are counted from 1", token)
        self._expect("of")
        token = self._take()
        if not token.quoted:
            raise self._wrong('a theorem is wanted in quotes, as in: side 2 of "never falls"', token)
        try:
            return Side(self.words.algorithm.theorems[theorem_named(self.words.algorithm, token.text)], number - 1)
        except Refused as refusal:
            raise self._wrong(str(refusal).rstrip("."), token) from None

    def _inside(self) -> Value:
        self._deeper(1)
        value = self._sum()
        self._deeper(-1)
        self._expect(")")
        return value

    def _value_named(self, token: Token) -> Value:
        name, words = token.text, self.words
        if name in words.fields:
            return Field(name)
        for curve in words.algorithm.curves:
            if curve.name == name:
                return CurveValue(curve)
        if name in _PLACES and not token.quoted:
            return Place()
        if name == "iteration":
            return Iteration()
        if name in words.phases or name in words.events:
            raise self._wrong(f"{name!r} is no number: it happens or does not, and stands alone", token)
        if name in CONSTANTS and not token.quoted:
            return Number(CONSTANTS[name])
        if words.any_field:
            return Field(name, assumed=True)
        raise self._wrong(words.unknown(name), token)

    def _index(self, token: Token, value: Value) -> tuple[int, ...]:
        if not isinstance(value, Field):
            raise self._wrong(f"{token.text!r} is one number: it has no entries")
        index: list[int] = []
        while self._is("["):
            while not index or not self._is("]"):
                self._expect("[", ",")
                minus = -1 if self._is("-") else 1
                if minus < 0:
                    self._take()
                index.append(minus * self._whole("entries"))
            self._take()
        example = self.words.fields.get(token.text)
        if isinstance(example, np.ndarray) and len(index) > example.ndim:
            indices = "1 index" if example.ndim == 1 else f"{example.ndim} indices"
            raise self._wrong(f"{token.text} has {_shape(example)} entries: {indices} at most", token)
        return tuple(index)

    def _whole(self, what: str) -> int:
        token = self._now
        if token.kind != "number" or not token.text.replace("_", "").isdigit():
            raise self._wrong(f"{what} are counted in whole numbers")
        self._take()
        if len(token.text) > 15:
            raise self._wrong(f"so many {what} there are never", token)
        return int(token.text)

    def _check_number(self, value: Value, token: Token) -> None:
        """Refuse to compare a field that is not one number, as far as an example of it tells."""
        if not isinstance(value, Field):
            return
        example = self.words.fields.get(value.name)
        name = f'"{value.name}"' if " " in value.name else value.name
        if isinstance(example, str):
            raise self._wrong(f"{name} is a text: it can only change", token)
        if isinstance(example, tuple) and not value.index:
            raise self._wrong(f"{name} has several parts: say which, as in norm({name}) or {name}[0]", token)
        if isinstance(example, np.ndarray) and example.ndim > len(value.index) and example.size != 1:
            one = ",".join(["0"] * example.ndim)
            which = f"say which, as in {name}[{one}], or max({name}), norm({name})"
            raise self._wrong(f"{name} has {_shape(example)} entries: {which}", token)


def _is_nan(value: Value) -> bool:
    return isinstance(value, Number) and math.isnan(value.value)


def _shape(array: Any) -> str:
    return " x ".join(map(str, array.shape))
