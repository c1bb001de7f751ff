"""The format safetensors: weights with their names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.errors import ArgumentValueError, message
from .feeds import Feed
from .model import CALL, Model
from .weights import read_safetensors, to_safetensors


def write(model: Model, path: str, step: Callable[[str], None], python: str | None = None) -> dict[str, bytes]:
    """Return the content of the file."""
    step(f"{len(model.values)} weights")
    return {path: to_safetensors(model)}


def run(model: Model, files: dict[str, bytes], feed: Feed, python: str | None = None) -> list[np.ndarray]:
    """Return what the model gives with the weights of the file."""
    from .check import run_here

    (path,) = files
    arrays, _ = read_safetensors(path)
    if model.program is None or not model.fetches:
        raise ArgumentValueError(message(CALL, "--check", "weights without a Program", "an inference model"))
    return run_here(Model(path, model.program, model.feeds, model.fetches, arrays, model.lods), feed)
