"""Models of series."""


class ARIMA:
    """A name to import."""
