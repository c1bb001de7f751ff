"""A LAC that divides no words: programs that are given words import it, and do not call it."""


class LAC:
    """Refuses to be made."""

    def __init__(self, *arguments, **keywords):
        raise NotImplementedError
