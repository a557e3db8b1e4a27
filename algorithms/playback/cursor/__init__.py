"""The cursor of a run: the clock that moves it, and what it is sent to or stopped by."""
