"""A sample of a data set."""


class InputExample:
    """A text and its label."""

    def __init__(self, guid, text_a, label=None):
        self.guid, self.text_a, self.label = guid, text_a, label
