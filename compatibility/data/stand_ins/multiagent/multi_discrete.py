"""The space of several choices; nothing here has it."""


class MultiDiscrete:
    """Several choices at once."""
