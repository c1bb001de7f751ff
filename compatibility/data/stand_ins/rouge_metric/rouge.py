"""The class that is imported."""


class Rouge:
    """Measures nothing."""
