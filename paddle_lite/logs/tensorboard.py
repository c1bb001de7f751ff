"""Files of TensorBoard, written by TensorBoard's own package."""

from __future__ import annotations

import io
import time
import uuid
from typing import Any

import numpy as np

from ..core.extras import import_extra

FLUSH_SECONDS = 10
BUCKETS = 64


class Events:
    """A file of events in a folder; its name is new.

    Arguments:
        folder: the folder.
        where: the call, for errors.
    """

    def __init__(self, folder: str, where: str) -> None:
        self._events = import_extra("tensorboard.compat.proto.event_pb2", "log", where)
        self._summaries = import_extra("tensorboard.compat.proto.summary_pb2", "log", where)
        self._images = import_extra("PIL.Image", "log", where)
        module = import_extra("tensorboard.summary.writer.event_file_writer", "log", where)
        suffix = f".{uuid.uuid4().hex[:8]}"  # the name has the time in seconds only
        self._writer = module.EventFileWriter(folder, flush_secs=FLUSH_SECONDS, filename_suffix=suffix)

    def _add(self, step: int, **value: Any) -> None:
        summary = self._summaries.Summary(value=[self._summaries.Summary.Value(**value)])
        self._writer.add_event(self._events.Event(wall_time=time.time(), step=step, summary=summary))

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Write a number."""
        self._add(step, tag=tag, simple_value=value)

    def add_histogram(self, tag: str, values: np.ndarray, step: int) -> None:
        """Write the distribution of finite numbers [n]."""
        counts, limits = np.histogram(values, BUCKETS)
        histogram = self._summaries.HistogramProto(
            min=values.min(), max=values.max(), num=values.size, sum=values.sum(), sum_squares=(values**2).sum(),
            bucket_limit=limits[1:].tolist(), bucket=counts.tolist(),
        )  # fmt: skip
        self._add(step, tag=tag, histo=histogram)

    def add_image(self, tag: str, image: np.ndarray, step: int) -> None:
        """Write an image, uint8 [height, width, channels]."""
        file = io.BytesIO()
        self._images.fromarray(image).save(file, "PNG")
        height, width, channels = image.shape
        png = self._summaries.Summary.Image(
            height=height, width=width, colorspace=channels, encoded_image_string=file.getvalue()
        )
        self._add(step, tag=tag, image=png)

    def flush(self) -> None:
        """Write all to the file."""
        self._writer.flush()

    def close(self) -> None:
        """Write all to the file, and close it."""
        self._writer.close()
