"""Questions before a step: which can be asked of it, what the run says is right, and what one has answered so far."""
