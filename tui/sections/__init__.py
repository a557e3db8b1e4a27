"""Sections: what stands in a panel, painted onto a canvas; functions of what they are given, no widgets."""
