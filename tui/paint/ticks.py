"""Round numbers for axes, and numbers as people write them."""

import math
from collections.abc import Sequence

_MILLION, _SMALL = 1e6, 1e-3  # from which on, and below which, numbers are written in powers of ten
_DECIMALS = 12  # at most
_WHOLE = 1e-9  # of a number: as near to a whole one it is that but for rounding


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Choose at most `most` round numbers (1, 2 or 5 times a power of ten apart) from low to high."""
    span = high - low
    if not (math.isfinite(span) and most > 0 and span / most > 1e-305):
        return []
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next((m * power for m in (1, 2, 5, 10, 20, 50) if span / (m * power) <= most), 100 * power)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)][: most + 1]


def parts_between(first: float, last: float, most: int, whole: bool) -> list[float]:
    """Choose round numbers between two ends, at most so many parts: equal parts where these are round, else the
    multiples of a round number that are not near an end."""
    span = last - first
    if not (math.isfinite(span) and span > 0 and most > 1 and span / most > 1e-305):
        return []
    power = 10.0 ** math.floor(math.log10(span / most))
    sizes = [(nice * power * ten, nice) for ten in (1, 10) for nice in (1, 1.5, 2, 2.5, 3, 4, 5)]
    sizes = [(size, nice) for size, nice in sizes if span / size <= most + 0.5 and (not whole or size == round(size))]
    for size, _ in sizes:
        parts = round(span / size)
        if 1 < parts <= most and abs(parts * size - span) <= 1e-9 * span and _is_multiple(first, size):
            return [first + k * size for k in range(1, parts)]
    size = next((size for size, nice in sizes if nice in (1, 2, 5)), 0.0)
    if not size:
        return []
    inner = (k * size for k in range(math.ceil(first / size - 1e-9), math.floor(last / size + 1e-9) + 1))
    return [x for x in inner if min(x - first, last - x) > 0.5 * size]


def _is_multiple(value: float, of: float) -> bool:
    return abs(value / of - round(value / of)) <= 1e-6


def tick_labels(ticks: list[float]) -> list[str]:
    """Format the ticks, all in one notation and with as many decimals as they need to be told apart."""
    if not ticks:
        return []
    apart = min((b - a for a, b in zip(ticks, ticks[1:])), default=abs(ticks[0])) or 1.0
    greatest = max(abs(t) for t in ticks)
    if greatest >= _MILLION or 0 < greatest < _SMALL:
        return _in_powers(ticks, 1e-3 * apart / greatest)
    decimals = next(n for n in range(_DECIMALS + 1) if n == _DECIMALS or _are_near(ticks, n, 1e-3 * apart))
    return [f"{round(t, decimals) + 0.0:,.{decimals}f}" for t in ticks]


def _are_near(ticks: list[float], decimals: int, off: float) -> bool:
    """Tell whether numbers are as good as those that so many decimals say."""
    return all(abs(round(t, decimals) - t) <= off for t in ticks)


def _in_powers(ticks: list[float], near: float) -> list[str]:
    """Format numbers as multiples of powers of ten: 2e6, 2.5e-7."""
    for digits in range(_DECIMALS + 1):
        texts = [f"{t:.{digits}e}" for t in ticks]
        if all(abs(float(text) - t) <= near * max(map(abs, ticks)) for text, t in zip(texts, ticks)):
            break
    return [f"{text.partition('e')[0]}e{int(text.partition('e')[2])}" if t else "0" for text, t in zip(texts, ticks)]


def power_ticks(low: float, high: float, most: int) -> tuple[list[float], list[str]]:
    """Choose at most so many ticks on a logarithmic axis from 10^low to 10^high: (logarithms, texts).

    They are the powers of ten, or every second, third, fifth, ... one; with fewer than two of them in sight 1, 2 and
    5 times a power, or what is evenly spaced.
    """
    if not (math.isfinite(high - low) and 0 < high - low < 1e4 and most > 0):
        return [], []
    whole = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    if len(whole) >= 2:
        steps = (n * 10**k for k in range(5) for n in (1, 2, 3, 5))
        powers = next(few for every in steps if len(few := [float(p) for p in whole if p % every == 0]) <= most)
        return powers, power_texts(powers)
    few = [math.log10(n) + p for p in range(math.floor(low), math.ceil(high) + 1) for n in (1, 2, 5)]
    few = [tick for tick in few if low <= tick <= high]
    if len(few) < 2:
        few = round_ticks(low, high, most)
    return few[:most], power_texts(few[:most])


def power_texts(powers: Sequence[float]) -> list[str]:
    """Format powers of ten, or what is between two, in one notation: 0.01, 1, 100; where one of them would be long
    1e-7, 1e-3, 1e3."""
    short = all(_is_short(power) for power in powers)
    return [power_text(power) if short or power == 0 else _in_power(power) for power in powers]


def power_text(power: float) -> str:
    """Format a power of ten: 0.01, 100, 1e5, 1e-7; or what is between two: 5,000, 2e-7."""
    if not _is_short(power):
        return _in_power(power)
    return f"{10.0 ** round(power):,g}" if _is_whole(power) else _between(10.0**power)


def _is_short(power: float) -> bool:
    """Tell whether 10 to a power is written without a power."""
    return -4 < (round(power) if _is_whole(power) else power) < 5


def _is_whole(power: float) -> bool:
    return abs(power - round(power)) <= 1e-9


def _in_power(power: float) -> str:
    """Format 10 to a power with a power: 1e5, 2e-7."""
    if _is_whole(power):
        return f"1e{round(power)}"
    digits, _, exponent = f"{10.0**power:.2e}".partition("e")
    return f"{float(digits):g}e{int(exponent)}"


def _between(value: float) -> str:
    """Format a number that is no power of ten in three digits: 0.005, 2.51, 5,000."""
    return f"{value:.3g}" if value < 100 else f"{float(f'{value:.3g}'):,.0f}"


def spaced(begun: list[tuple[int, int]], left: int, columns: int) -> list[tuple[int, str]]:
    """Place, as (column, text), the numbers of iterations that begin at (column, number): all, or each that 2, 5, 10,
    20 ... divides, so that they do not touch and the eye need not look for the ones left out. One without a column of
    its own is left out in no other way."""
    for every in (factor * 10**power for power in range(10) for factor in (1, 2, 5)):
        placed: list[tuple[int, str]] = []
        free = left
        whole = [number for _, number in begun if number % every == 0]
        if len({after - before for before, after in zip(whole, whole[1:])}) > 1:
            continue
        for column, number in begun:
            if number % every:
                continue
            text = f"{number:,}"
            start = min(max(column - len(text) // 2, left), columns - len(text))
            if start < free:
                break
            placed.append((start, text))
            free = start + len(text) + 2
        else:
            return placed
    return []


def roundest(first: int, after: int) -> int:
    """Find the number from first to before after that most of 1, 2, 5, 10, 20, 50 ... divide."""
    for every in (factor * int(10**power) for power in range(len(str(after)), -1, -1) for factor in (5, 2, 1)):
        least = -(-first // every) * every
        if least < after:
            return least
    return first


def number(value: float | int | None, digits: int = 4) -> str:
    """Format a number in few characters: 1,283  64.65  0.0331  1.2e-05  ∞  nan."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    size = abs(value)
    if size < 10**7 and abs(value - round(value)) <= _WHOLE * size:
        return f"{round(value):,}"
    if size >= 10**7 or size < 1e-4:
        return f"{value:.{max(digits - 2, 1)}e}"
    if size >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    decimals = digits - 1 - math.floor(math.log10(size)) - (size < 1)
    return f"{value:,.{min(max(decimals, 0), max(digits, 6))}f}"
