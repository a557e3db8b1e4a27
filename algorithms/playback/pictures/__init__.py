"""The picture of a step: planes, limits, rulers, tones, and what changed."""
