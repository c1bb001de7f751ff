"""The name of a client that is imported only."""


class Client:
    """A client of nothing."""
