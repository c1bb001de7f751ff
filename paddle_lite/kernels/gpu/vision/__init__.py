"""Images as wholes: sizes."""
