"""What is measured on rows held out looks the same in every algorithm."""

from algorithms import find
from algorithms.core.catalogue import names
from algorithms.core.curves import HELD_OUT


def test_a_curve_of_rows_held_out_has_one_tone_in_all_algorithms() -> None:
    tones = {
        (name, curve.name): curve.tone
        for name in names()
        for curve in find(name).curves
        if curve.name.startswith("held-out ")
    }
    assert tones
    assert {key: tone for key, tone in tones.items() if tone != HELD_OUT} == {}
