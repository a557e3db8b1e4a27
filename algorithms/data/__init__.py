"""Data sets: bundled ones, made ones with a known truth, and the reader's own files."""

from algorithms.data.datasets import (
    badges,
    blobs,
    breast_cancer,
    cloud,
    coin,
    davis,
    diabetes,
    digits,
    faithful,
    iris,
    line,
    mixture,
    moons,
    penguins,
    prostate,
    rings,
    sine,
    wine,
)
from algorithms.data.named import About
from algorithms.data.recipe import Recipe

__all__ = [
    "About",
    "Recipe",
    "badges",
    "blobs",
    "breast_cancer",
    "cloud",
    "coin",
    "davis",
    "diabetes",
    "digits",
    "faithful",
    "iris",
    "line",
    "mixture",
    "moons",
    "penguins",
    "prostate",
    "rings",
    "sine",
    "wine",
]
