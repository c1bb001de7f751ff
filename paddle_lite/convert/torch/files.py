"""The format torch: a folder with the source of a module, `net.py`, and its weights, `net.safetensors`."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from ..elsewhere import run_elsewhere
from ..feeds import Feed
from ..model import Model
from ..weights import safetensors_bytes
from .build import to_torch

SOURCE, WEIGHTS = "net.py", "net.safetensors"
RUN = """
import sys
import numpy as np
try:
    import torch
except ImportError:
    sys.exit("PyTorch is not installed")
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
torch.manual_seed(0)
import net
given = np.load(sys.argv[2])
with torch.no_grad():
    found = net.load(sys.argv[1] + "/net.safetensors")(*[torch.from_numpy(given[name]) for name in given.files])
found = found if isinstance(found, tuple) else (found,)
np.savez(sys.argv[3], *[value.numpy() for value in found])
"""


def write(model: Model, path: str, step: Callable[[str], None], python: str | None = None) -> dict[str, bytes]:
    """Return the content of each file."""
    source, weights = to_torch(model, step)
    return {
        os.path.join(path, SOURCE): source.encode(),
        os.path.join(path, WEIGHTS): safetensors_bytes(weights, {"format": "pt"}),
    }


def run(model: Model, files: dict[str, bytes], feed: Feed, python: str | None = None) -> list[np.ndarray]:
    """Return what PyTorch gives."""
    folder = os.path.dirname(next(iter(files)))
    arrays = {name: np.ascontiguousarray(tensor.array) for name, tensor in feed.items()}
    return run_elsewhere("convert --to torch --check", python, RUN, [folder], arrays)
