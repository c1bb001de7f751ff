"""`python -m paddle_lite convert`: convert a saved model for another library (`--to`), or weights from one (`--from`)."""

from __future__ import annotations

import argparse
import sys

from paddle_lite.convert.api import FORMATS, convert_model, default_output
from paddle_lite.convert.feeds import drawn_feed, read_feed
from paddle_lite.convert.model import CALL, Model, read_model
from paddle_lite.convert.weights import import_weights
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet, NotYetAvailable, message
from paddle_lite.core.progress.streams import is_watched
from paddle_lite.core.text import format_bytes

from .shapes import named_shape

CLOSE = 1e-3
"""A larger difference, as a part of the largest number, makes the exit code 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command line of `convert` to a parser."""
    what = "a folder of save_inference_model, a .pdmodel file or its path without the suffix, a .pdparams file"
    parser.add_argument("path", metavar="MODEL", help=f"{what}; with --from, the file to read")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--to", choices=list(FORMATS), help="the format to convert the model to")
    way.add_argument(
        "--from",
        dest="source",
        choices=["onnx", "safetensors"],
        help="the format of a file of weights, which is converted to a .pdparams file",
    )
    parser.add_argument("-o", "--output", metavar="PATH", help="the file or folder to write; by default, beside MODEL")
    parser.add_argument("--model", metavar="FILE", help="the file of the Program in the folder, if not __model__")
    parser.add_argument("--params", metavar="FILE", help="the file of all parameters, if it is not found automatically")
    parser.add_argument(
        "--check", action="store_true", help="run both models on the same inputs and print the largest difference"
    )
    parser.add_argument("--inputs", metavar="FILE", help="with --check: a .npz file with an array for each input")
    parser.add_argument("--batch", type=int, metavar="N", help="with --check: the number of random samples (2)")
    shape = "with --check: the shape of an input with unknown sizes besides the batch; once for each such input"
    parser.add_argument("--shape", action="append", default=[], metavar="NAME=D,D,...", help=shape)
    other = "an interpreter with PaddlePaddle 3, to write net.json for --to paddle3; or one with PyTorch, for --check"
    parser.add_argument("--python", metavar="PYTHON", help=other)


class Progress:
    """A line that says what is being done, where there is a terminal."""

    def __init__(self) -> None:
        self._shown = is_watched(sys.stderr)

    def __call__(self, text: str) -> None:
        """Show a text in the place of the one before."""
        if self._shown:
            print(f"\r\x1b[Kconvert: {text} ...", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def convert(arguments: argparse.Namespace, step: Progress) -> int:
    """Convert, print what was read and written, and check."""
    checks = ["inputs", "batch", *([] if arguments.to == "paddle3" else ["python"])]
    if not arguments.check and (arguments.shape or any(getattr(arguments, name) is not None for name in checks)):
        given = next(name for name in ["shape", *checks] if getattr(arguments, name))
        raise ArgumentValueError(message(CALL, f"--{given}", "no --check", "--check beside it, which it belongs to"))
    if arguments.source is not None:
        if arguments.check:
            raise ArgumentValueError(message(CALL, "--check", "--from", "--to: weights alone cannot be run"))
        file, arrays = import_weights(arguments.path, arguments.source, arguments.output)
        step.end()
        print(f"{file}: {len(arrays)} weights, {format_bytes(sum(a.nbytes for a in arrays.values()))}")
        return 0
    step(f"reading {arguments.path}")
    model = read_model(arguments.path, arguments.model, arguments.params)
    converted = convert_model(
        model, arguments.to, arguments.output or default_output(model, arguments.to), step, arguments.python
    )
    step.end()
    print(_read(model))
    for path, content in converted.files.items():
        print(f"{path}: {format_bytes(len(content))}")
    if not arguments.check:
        return 0
    step("running both")
    if arguments.inputs is not None:
        feed = read_feed(model, arguments.inputs)
    else:
        shapes = dict(named_shape(CALL, text) for text in arguments.shape)
        feed = drawn_feed(model, 2 if arguments.batch is None else arguments.batch, shapes)
    found = converted.check(feed, arguments.python)
    step.end()
    print(found.text)
    return int(not found.relative <= CLOSE)


def _read(model: Model) -> str:
    """Return a line about a model."""
    total = sum(array.nbytes for array in model.values.values())
    weights = f"{len(model.values)} weights, {format_bytes(total)}"
    if model.program is None:
        return f"{model.path}: {weights}"
    count = sum(op.type not in ("feed", "fetch") for op in model.program.all_ops())
    return f"{model.path}: {count} operators, {weights}"


def main(arguments: argparse.Namespace) -> int:
    """Convert; an error is printed, with exit code 1."""
    step = Progress()
    try:
        return convert(arguments, step)
    except (EnforceNotMet, NotYetAvailable, OSError) as error:
        step.end()
        print(f"python -m paddle_lite {error}", file=sys.stderr)
        return 1
