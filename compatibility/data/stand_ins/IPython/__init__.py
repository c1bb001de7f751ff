"""Of IPython, what libraries need to show pictures in a notebook; nothing is shown."""

__all__ = ["get_ipython", "version_info"]

version_info = (8, 24, 0)


def get_ipython():
    """Return None: no notebook runs."""
    return None
