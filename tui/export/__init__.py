"""What the screen shows, in files: as a picture, as text, and step by step as an animation."""
