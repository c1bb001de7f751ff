"""The forms that a call may have."""
