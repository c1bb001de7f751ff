"""What a model is run with, to compare it with its conversion: arrays of a file, or drawn at random."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping, Sequence

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, FileFormatError, MissingFileError, message
from ..core.lod import from_lengths
from ..core.tensor import LoDTensor
from .model import CALL, Model

STEPS = 5  # of the longest sequence that is drawn
LENGTHS = ".lengths"
Feed = dict[str, LoDTensor]


def read_feed(model: Model, path: str) -> Feed:
    """Read the inputs of a model from a .npz file.

    Arguments:
        model: the model.
        path: a file of `numpy.savez`, with an array for each input; NAME.lengths holds the lengths of the sequences of
            an input that has a LoD. A .npy file is enough for a model of one input.

    Returns:
        A LoDTensor for each input, by name.

    Raises:
        MissingFileError: there is no such file.
        FileFormatError: it is no file of NumPy.
        ArgumentValueError: it lacks an input, or has an array of another shape.
    """
    if not os.path.isfile(path):
        raise MissingFileError(message(CALL, "--inputs", path, "a .npz or .npy file that exists"))
    try:
        held = np.load(path, allow_pickle=False)
        arrays = {name: held[name] for name in held.files} if hasattr(held, "files") else {model.feeds[0]: held}
    except (ValueError, EOFError, zipfile.BadZipFile, IndexError) as error:
        raise FileFormatError(f"{CALL}: --inputs: {path} is no .npz or .npy file without objects: {error}") from None
    known = {name + suffix for name in model.feeds for suffix in ("", LENGTHS)}
    unknown = [name for name in arrays if name not in known]
    lacking = [name for name in model.feeds if name not in arrays]
    if unknown or lacking:
        got = f"{path} with {', '.join(arrays)}"
        raise ArgumentValueError(message(CALL, "--inputs", got, f"the inputs {', '.join(model.feeds)}"))
    return {name: _given(model, name, arrays) for name in model.feeds}


def _given(model: Model, name: str, arrays: Mapping[str, np.ndarray]) -> LoDTensor:
    variable, array = model.variable(name), arrays[name]
    shape, dtype = [int(n) for n in variable.shape], to_numpy(variable.dtype)
    if array.ndim != len(shape) or any(n >= 0 and n != m for n, m in zip(shape, array.shape, strict=True)):
        raise ArgumentValueError(message(CALL, f"--inputs: {name}", f"shape {list(array.shape)}", f"shape {shape}"))
    array = np.ascontiguousarray(array.astype(dtype, copy=False))
    if not variable.lod_level:
        return LoDTensor.of(array)
    if name + LENGTHS not in arrays:
        fix = "Add it to the file."
        raise ArgumentValueError(message(CALL, "--inputs", f"no {name}{LENGTHS}", "the lengths of its sequences", fix))
    return LoDTensor.of(array, from_lengths([[int(n) for n in arrays[name + LENGTHS].reshape(-1)]]))


def drawn_feed(model: Model, batch: int = 2, shapes: Mapping[str, Sequence[int]] | None = None, seed: int = 0) -> Feed:
    """Draw inputs of a model: floats from 0 to 1, integers 0 and 1, truths.

    Arguments:
        model: the model.
        batch: the number of samples, or of sequences.
        shapes: the shapes of inputs of which more than the first size is unknown; others get 8 for such a size.
        seed: of the random numbers.

    Returns:
        A LoDTensor for each input, by name.

    Raises:
        ArgumentValueError: the batch is not 1 or more; a shape does not fit, or names no input.
    """
    if batch < 1:
        raise ArgumentValueError(message(CALL, "--batch", batch, "1 or more"))
    shapes = dict(shapes or {})
    for name in shapes.keys() - set(model.feeds):
        raise ArgumentValueError(message(CALL, "--shape", repr(name), f"an input: {', '.join(model.feeds)}"))
    numbers = np.random.RandomState(seed)
    return {name: _drawn(model, name, batch, shapes.get(name), numbers) for name in model.feeds}


def _drawn(
    model: Model, name: str, batch: int, given: Sequence[int] | None, numbers: np.random.RandomState
) -> LoDTensor:
    variable = model.variable(name)
    known, dtype = [int(n) for n in variable.shape], to_numpy(variable.dtype)
    lengths = [1 + (STEPS - 1 - i) % STEPS for i in range(batch)] if variable.lod_level else []
    first = sum(lengths) if lengths else batch
    shape = [n if n >= 0 else first if at == 0 else 8 for at, n in enumerate(known)]
    if given is not None:
        shape = [int(n) for n in given]
        if len(shape) != len(known) or any(n >= 0 and n != m for n, m in zip(known, shape, strict=True)):
            raise ArgumentValueError(message(CALL, f"--shape of {name}", shape, f"a shape that fits {known}"))
    if dtype.kind == "f":
        array = numbers.rand(*shape).astype(dtype)
    else:
        array = numbers.randint(0, 2, shape).astype(dtype)
    if not lengths:
        return LoDTensor.of(array)
    lengths = lengths if sum(lengths) == shape[0] else [1] * shape[0]
    return LoDTensor.of(array, from_lengths([[1] * len(lengths)] * (variable.lod_level - 1) + [lengths]))


def lengths_of(tensor: LoDTensor) -> np.ndarray:
    """Return the lengths of the sequences of the last level of a tensor."""
    return np.diff(np.asarray(tensor.lod()[-1], np.int64))
