"""`fluid.dataset`: names of training from files by several processes; they can be imported, but not used yet."""

from ..core.missing import later, missing_names

globals().update(later(__name__, "DatasetFactory InMemoryDataset QueueDataset"))

__getattr__ = missing_names(__name__)
