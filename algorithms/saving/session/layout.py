"""JSON laid out for reading: what fits stands on one line, what does not is indented."""

from typing import Any

import msgspec

_WIDTH = 110
_STEP = 2


def lay_out(value: Any) -> str:
    """Plain values (dict, list, str, numbers, None) as JSON, keys in alphabetical order."""
    return "".join(_pieces(value, 0)) + "\n"


def _pieces(value: Any, indent: int) -> list[str]:
    whole = _compact(value, _WIDTH - indent)
    if whole is not None:
        return [whole]
    pad = " " * (indent + _STEP)
    if isinstance(value, dict):
        pieces = ["{\n"]
        for key in sorted(value):
            head = f"{pad}{_json(key)}: "
            pieces += [head, *_pieces(value[key], indent + _STEP), ",\n"]
    else:
        pieces = ["[\n"]
        if all(isinstance(part, int | float | str | None) for part in value):
            pieces += [line for row in _rows(value, indent + _STEP) for line in (pad, row, ",\n")]
        else:
            for part in value:
                pieces += [pad, *_pieces(part, indent + _STEP), ",\n"]
    pieces[-1] = "\n"
    return [*pieces, " " * indent, "}" if isinstance(value, dict) else "]"]


def _rows(values: list[Any], indent: int) -> list[str]:
    """Lay out a long list of numbers or texts, as many to a line as fit."""
    rows: list[str] = []
    for text in map(_json, values):
        if rows and len(rows[-1]) + len(text) + 2 <= _WIDTH - indent:
            rows[-1] += f", {text}"
        else:
            rows.append(text)
    return rows


def _compact(value: Any, room: int) -> str | None:
    """Write the value on one line, None when it is longer than there is room for."""
    if isinstance(value, dict):
        parts = []
        for key in sorted(value):
            inner = _compact(value[key], room)
            if inner is None:
                return None
            parts.append(f"{_json(key)}: {inner}")
            room -= len(parts[-1]) + 2
            if room < 0:
                return None
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list | tuple):
        parts = []
        for part in value:
            inner = _compact(part, room)
            if inner is None:
                return None
            parts.append(inner)
            room -= len(inner) + 2
            if room < 0:
                return None
        return f"[{', '.join(parts)}]"
    return _json(value)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
