"""Images as wholes: channels, sizes, grids and patches."""
