"""Widgets: each paints one part of the screen onto a canvas."""
