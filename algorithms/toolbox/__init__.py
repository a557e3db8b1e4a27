"""Mathematics that two or more families use."""
