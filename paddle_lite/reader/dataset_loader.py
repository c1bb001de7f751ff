"""`DataLoader.from_dataset`: the batches of a data set of files as feeds of static Programs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.place import Place
from .generator_loader import DataLoaderBase

_log = logging.getLogger("paddle_lite.reader")


class DatasetLoader(DataLoaderBase):
    """Iterates over feeds, lists with a dict for each place, until the files of a place have no more batches.

    Arguments:
        dataset: the data set.
        places: a Place or a list of Places.
        drop_last: whether to drop the incomplete batch of each place.
    """

    def __init__(self, dataset: Any, places: Any, drop_last: bool) -> None:
        where = "DataLoader.from_dataset"
        if not hasattr(dataset, "feed_streams"):
            fix = "fluid.DatasetFactory().create_dataset() makes one; DataLoader(dataset) takes a fluid.io.Dataset."
            raise ArgumentTypeError(message(where, "dataset", describe(dataset), "a data set of files", fix))
        self._places = list(places) if isinstance(places, (list, tuple)) else [places]
        for place in self._places:
            if not isinstance(place, Place):
                needs = "fluid.CPUPlace(), CUDAPlace(i), or a list of them"
                raise ArgumentTypeError(message(where, "places", describe(place), needs))
        files, count = len(dataset.filelist), len(self._places)
        if files < count:
            needs = f"{count} or more, one for each place"
            raise ArgumentValueError(message(where, "the data set", f"{files} files", needs, "Call set_filelist."))
        if dataset.thread_num not in (1, count):
            _log.warning("%s: set_thread(%d) is ignored, for there are %d places", where, dataset.thread_num, count)
        self._dataset, self._drop_last = dataset, drop_last
        self._own: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        """Iterate over the feeds of an epoch."""
        streams = self._dataset.feed_streams(len(self._places), self._drop_last, dealt=True)
        with ExitStack() as stack:
            feeds = []
            for stream in streams:
                feeds.append(iter(stream))
                stack.callback(feeds[-1].close)
            while feeds:
                group = [each for stream in feeds if (each := next(stream, None)) is not None]
                if len(group) < len(self._places):
                    return
                for feed, place in zip(group, self._places, strict=True):
                    for tensor in feed.values():
                        tensor.place = place
                yield group

    def __next__(self) -> list[dict[str, Any]]:
        """Return the next feeds of the loader's own epoch; the first call starts it."""
        if self._own is None:
            self._own = iter(self)
        try:
            return next(self._own)
        except BaseException:
            self._own = None
            raise
