"""Shows nothing."""


class HTML:
    """Text of a page."""

    def __init__(self, data=None):
        self.data = data


def display(*things, **options):
    """Take what a notebook would show."""


def clear_output(wait=False):
    """Clear nothing."""
