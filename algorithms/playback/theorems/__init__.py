"""A theorem, opened; and expectations, worked out beside the screen."""
