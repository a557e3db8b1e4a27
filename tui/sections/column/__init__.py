"""The column beside the stage: its frame, how it is shared out, and its tabs."""
