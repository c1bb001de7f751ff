"""The base class of data sets of text."""


class BaseNLPDataset:
    """Names of files and labels."""

    def __init__(self, base_path, **given):
        self.base_path = base_path
        self.__dict__.update(given)
