"""Gaussian noise: how likely residuals are."""

from math import log, pi, sqrt

from algorithms.core import Array


def log_density(r: Array, sigma: float) -> float:
    """log L = Σ -r²/(2σ²) - ln(σ√(2π)), of (n,) residuals that are independent and N(0, σ²)."""
    return float((-(r * r) / (2 * sigma**2) - log(sigma * sqrt(2 * pi))).sum())
