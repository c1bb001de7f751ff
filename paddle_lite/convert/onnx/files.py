"""The format ONNX: one file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..feeds import Feed
from ..model import Model
from .build import to_onnx
from .run import run_onnx


def write(model: Model, path: str, step: Callable[[str], None], python: str | None = None) -> dict[str, bytes]:
    """Return the content of the file."""
    content: bytes = to_onnx(model, step).SerializeToString()
    return {path: content}


def run(model: Model, files: dict[str, bytes], feed: Feed, python: str | None = None) -> list[np.ndarray]:
    """Return what ONNX Runtime gives."""
    (content,) = files.values()
    return run_onnx(content, feed)
