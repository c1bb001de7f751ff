"""A bar that shows nothing."""


class Bar:
    """Takes what the one of progress takes."""

    def __init__(self, *arguments, **settings):
        pass

    def next(self, *arguments):
        """Show nothing."""

    def finish(self):
        """Show nothing."""
