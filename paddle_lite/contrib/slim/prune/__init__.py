"""Networks whose convolutions lose filters."""
