"""What is measured as an algorithm's point, at the step that is shown."""

import math

from algorithms.core import Contrast
from algorithms.playback.pictures.viewer import Picture


def measured(picture: Picture, contrast: Contrast | None) -> tuple[float, float] | None:
    """Get the two numbers of a contrast at the step, each as it was measured last; None where one is not known."""
    if contrast is None:
        return None
    now = {curve.curve.name: curve.now for curves in picture.charts.values() for curve in curves}
    a, b = (now.get(name, math.nan) for name in contrast.curves)
    return (a, b) if math.isfinite(a) and math.isfinite(b) else None
