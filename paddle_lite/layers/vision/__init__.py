"""Image operations: channels, resizing, sampling grids and patches."""
