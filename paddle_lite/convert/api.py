"""Converting a saved model: one function for all formats, and the check of what it wrote."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from ..core.errors import ArgumentValueError, NotYetAvailable, message
from ..core.files.saves import saving
from .check import Difference, difference, run_here
from .feeds import Feed
from .model import CALL, Model

Step = Callable[[str], None]


class Format(NamedTuple):
    """What a model can be converted to.

    suffix: of the file; "" for several files in a folder.
    module: has `write(model, path, step, python)`, which returns the content of each file by its path, and `run(model, files, feed,
        python)`, which returns what the result gives.
    needs: the packages that writing needs.
    """

    suffix: str
    module: str
    needs: tuple[str, ...] = ()


FORMATS = {
    "onnx": Format(".onnx", "onnx.files", ("onnx",)),
    "safetensors": Format(".safetensors", "safetensors_files", ("safetensors",)),
    "torch": Format("", "torch.files", ("safetensors",)),
    "paddle3": Format("", "paddle3"),
}
"""The formats by name."""


class Converted(NamedTuple):
    """What a conversion wrote.

    model: the model that was read.
    to: the format.
    files: what was written, by path.
    """

    model: Model
    to: str
    files: dict[str, bytes]

    def check(self, feed: Feed, python: str | None = None) -> Difference:
        """Run the model and what was written, and return how far their results are apart.

        Arguments:
            feed: the inputs, of `read_feed` or `drawn_feed`.
            python: an interpreter that has the other library; this one where it is None.

        Raises:
            NotYetAvailable: the other library is not installed.
        """
        module = import_module(f"{__package__}.{FORMATS[self.to].module}")
        return difference(module.run(self.model, self.files, feed, python), run_here(self.model, feed))


def default_output(model: Model, to: str) -> str:
    """Return the path to write to: beside the model, with the format's suffix or, for a folder, its name.

    >>> default_output(Model('nets/mnist/__model__', None, [], [], {}), 'onnx')
    'nets/mnist.onnx'
    """
    folder, file = os.path.split(model.path)
    stem = (
        os.path.splitext(model.path)[0]
        if file != "__model__"
        else os.path.abspath(folder)
        if folder in ("", ".")
        else folder
    )
    return stem + (FORMATS[to].suffix or f"_{to}")


def convert_model(
    model: Model, to: str, output: str | None = None, step: Step = lambda text: None, python: str | None = None
) -> Converted:
    """Convert a model and write the result: all of its files or none.

    Arguments:
        model: what `read_model` returned.
        to: the name of a format.
        output: the file, or for a format of several files the folder; beside the model where it is None.
        step: is told what is being done.
        python: for "paddle3" an interpreter that has PaddlePaddle 3, which makes net.json; the others need none.

    Returns:
        A Converted, whose `check(feed)` compares both.

    Raises:
        ArgumentValueError: there is no such format, or the model is not one for inference.
        ConversionError: operators have no counterpart; the text names each.
        NotYetAvailable: a package that the format needs is not installed.

    >>> import tempfile, paddle_lite.fluid as fluid
    >>> from paddle_lite.convert import convert_model, drawn_feed, read_model
    >>> folder, exe = tempfile.mkdtemp(), fluid.Executor(fluid.CPUPlace())
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, act='relu')
    ...     _ = exe.run(fluid.default_startup_program())
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe)
    >>> model = read_model(folder)
    >>> converted = convert_model(model, 'safetensors')
    >>> [path.removeprefix(folder) for path in converted.files]
    ['.safetensors']
    """
    if to not in FORMATS:
        raise ArgumentValueError(message(CALL, "--to", repr(to), f"one of {', '.join(FORMATS)}"))
    form = FORMATS[to]
    try:
        module = import_module(f"{__package__}.{form.module}")
    except ImportError as error:
        if error.name not in form.needs:
            raise
        raise NotYetAvailable(
            f"{CALL} --to {to}: the package {error.name} is not installed. Run: pip install {error.name}"
        ) from None
    path = output or default_output(model, to)
    if form.suffix and not path.endswith(form.suffix):
        path += form.suffix
    files: dict[str, bytes] = module.write(model, path, step, python)
    step("writing")
    folder = os.path.dirname(path) if form.suffix else path
    with saving(folder) as opened:
        for name, content in files.items():
            with opened(os.path.relpath(name, folder or ".")) as file:
                file.write(content)
    return Converted(model, to, files)
