"""A parameter's values one after another, as a knob goes through them: the next one, and the one before.

    choices, booleans      in turn, round and round
    seeds                  by 1
    whole numbers          by 1 up to 20, then 50, 100, 200, 500 ...
    shares in [0, 1]       by 0.05
    a narrow range         by 0.1, where it reaches below 0
    all others             ... 0.1, 0.2, 0.5, 1, 2, 5, 10 ..., down to 0 and below it where the bounds allow that

A finer step is 1 of a whole number, 0.01 of a share or a narrow range, and 1 in the second digit of the others.
"""

import math
from collections.abc import Callable
from typing import Any, get_args, get_origin

from msgspec.structs import replace

from algorithms.core.parameters import Parameter

_SEEDS = 2**32 - 1  # the greatest seed
_SMALL = 20  # whole numbers up to here go by 1
_NARROW = 100.0  # the widest range below and above 0 that is gone through in equal steps
_SHARE = 0.05
_LARGE = 1e6  # what comes before infinity where nothing bounds it
_OF_DEFAULT = 1e-3  # the least number beside 0, as a part of the default; of the default 0 it is _LEAST
_LEAST = 0.01
_COARSE, _FINE = (1, 2, 5), tuple(range(10, 100))  # the leading digits


def can_turn(parameter: Parameter) -> bool:
    """Tell whether a parameter has values one after another: text that is no choice has not."""
    return bool(parameter.choices) or parameter.type in (bool, int, float) or _numbers(parameter)


def turned(parameter: Parameter, value: Any, by: int, fine: bool = False, part: int = 0) -> Any:
    """Give the value after a checked one, or before it; the same where the bounds end.

    Args:
        by: 1 or -1.
        fine: whether to go by the finer step.
        part: of a tuple, which of its numbers is turned.
    """
    if parameter.choices or parameter.type is bool:
        choices = parameter.choices or (False, True)
        return choices[(choices.index(value) + by) % len(choices)]
    if _numbers(parameter):
        if not 0 <= part < len(value):
            return value
        kind = get_args(get_args(parameter.type)[0])[0] if get_args(parameter.type) else float
        one = replace(parameter, type=kind, default=value[part], lengths=None)
        return (*value[:part], turned(one, value[part], by, fine), *value[part + 1 :])
    if value in parameter.words:
        return _first_number(parameter)
    if parameter.type not in (int, float):
        return value
    following = _whole(parameter, value, by, fine) if parameter.type is int else _real(parameter, value, by, fine)
    bounded = _bounded(parameter, following, value)
    return parameter.words[-1] if parameter.words and by < 0 and bounded == value else bounded


def _numbers(parameter: Parameter) -> bool:
    return get_origin(parameter.type) is tuple and parameter.lengths is not None


def _first_number(parameter: Parameter) -> Any:
    """Choose the number that comes after a word: the default, or 1."""
    number = 1 if parameter.default in parameter.words else parameter.default
    return _bounded(parameter, parameter.type(number), number)


def _bounded(parameter: Parameter, following: float, value: Any) -> Any:
    """Keep a number within the bounds; what lies beyond an open one is the value there was."""
    least, most = parameter.least, parameter.most
    if least is not None and (following < least or (parameter.open_least and following == least)):
        return value if parameter.open_least else parameter.type(least)
    if most is not None and (following > most or (parameter.open_most and following == most)):
        return value if parameter.open_most else parameter.type(most)
    return following


# Whole numbers


def _whole(parameter: Parameter, value: int, by: int, fine: bool) -> int:
    size = abs(value)
    away = by if value > 0 or (value == 0 and by > 0) else -by  # from 0
    if fine or parameter.most == _SEEDS or size + min(away, 0) < _SMALL:
        return value + by
    return int(math.copysign(max(_beside(size, away, _COARSE), _SMALL), value))


# Real numbers


def _real(parameter: Parameter, value: float, by: int, fine: bool) -> float:
    least = -math.inf if parameter.least is None else parameter.least
    most = math.inf if parameter.most is None else parameter.most
    if math.isinf(value):
        return value if by * value > 0 else math.copysign(min(_LARGE, most, -least if value < 0 else most), value)
    if least == 0 and most <= 1 and (parameter.default == 0 or parameter.default >= _SHARE):
        return _evenly(value, by, _SHARE / 5 if fine else _SHARE)
    if least < 0 < most and most - least <= _NARROW:
        return _evenly(value, by, 0.01 if fine else 0.1)
    digits = _FINE if fine else _COARSE
    return _beside(value, by, digits) if least > 0 else _through_zero(parameter, value, by, digits)


def _evenly(value: float, by: int, step: float) -> float:
    """Go to the next multiple of a step."""
    choose: Callable[[float], int] = math.floor if by > 0 else math.ceil
    return round((choose(round(value / step, 6)) + by) * step, 10)


def _through_zero(parameter: Parameter, value: float, by: int, digits: tuple[int, ...]) -> float:
    """Go up or down by leading digits, with 0 between the least number and the least one below 0."""
    default = abs(parameter.default) if isinstance(parameter.default, float | int) else 0.0
    least = _power(default * _OF_DEFAULT) if default and math.isfinite(default) else _LEAST
    if value == 0:
        return by * least
    if by * value > 0:
        return math.copysign(_beside(abs(value), 1, digits), value)
    open_at_zero = parameter.open_least and parameter.least == 0  # then it only becomes smaller
    if abs(value) <= least * (1 + 1e-9) and not open_at_zero:
        return 0.0
    return math.copysign(_beside(abs(value), -1, digits), value)


def _power(size: float) -> float:
    """Find the power of ten at or below a positive number."""
    return float(f"1e{math.floor(math.log10(size * (1 + 1e-9)))}")


def _beside(size: float, by: int, digits: tuple[int, ...]) -> float:
    """Find the next number with such leading digits after a positive one, or before it."""
    shift = len(str(digits[0])) - 1
    middle = math.floor(math.log10(size)) - shift
    grid = [float(f"{digit}e{power}") for power in (middle - 1, middle, middle + 1) for digit in digits]
    if by > 0:
        return next((number for number in grid if number > size * (1 + 1e-9)), size)
    return next((number for number in reversed(grid) if 0 < number < size * (1 - 1e-9)), size)
