"""own_operators.py declares operators when it is imported: its tests import it, the search for doctests does not."""

collect_ignore = ["own_operators.py"]
