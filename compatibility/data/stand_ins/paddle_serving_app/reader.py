"""A reader of Chinese text for a network that is elsewhere."""


class ChineseBertReader:
    """Numbers of characters in place of tokens."""

    def __init__(self, settings):
        self.settings = settings

    def process(self, text):
        """Return what the network would be fed."""
        ids = [ord(letter) % 100 for letter in text]
        zeros = [0] * len(ids)
        return {"input_ids": ids, "position_ids": zeros, "segment_ids": zeros, "input_mask": zeros}
