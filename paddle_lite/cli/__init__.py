"""The commands of `python -m paddle_lite`; each is imported when it is called."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable

from paddle_lite.version import own_version

__all__ = ["main"]


def main(argv: list[str]) -> int:
    """Run a command line and return the exit code.

    Args:
        argv: the words after `python -m paddle_lite`.

    Raises:
        SystemExit: the command line is wrong, or asks for help.
    """
    if argv[:1] == ["ops"]:  # it has a parser of its own
        importlib.import_module("paddle_lite.static")  # which has operators of its own, too
        return _until_closed(importlib.import_module("paddle_lite.ops.listing").main, argv[1:])
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command == "info":
        from .info import report

        print(report())
        return 0
    if arguments.command == "inspect":
        from .inspect import main as inspect

        return inspect(arguments.path, arguments.model)
    if arguments.command == "run":
        from paddle_lite.compat.launch import run

        return run(_words(parser, arguments), cuda_as_cpu=arguments.cpu)
    parser.print_help()
    return 0


def _until_closed(command: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a command that prints much; it ends quietly where the reader, such as `head`, has had enough."""
    try:
        code = command(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more as it ends
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m paddle_lite", description="PaddlePaddle Fluid 1.8 and 2.0-alpha programs on today's Python."
    )
    parser.add_argument("--version", action="version", version=f"paddle_lite {own_version}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    run = commands.add_parser(
        "run",
        help="run an unmodified PaddlePaddle script",
        usage="python -m paddle_lite run [--cpu] (SCRIPT | -m MODULE | -c CODE) [ARGS ...]",
        description="Run a program as `python` would, with `import paddle` meaning paddle_lite, also in the processes "
        "that it starts.",
        allow_abbrev=False,
    )
    run.add_argument("--cpu", action="store_true", help="let CUDAPlace mean the CPU")
    run.add_argument("-m", dest="module", metavar="MODULE", nargs=argparse.REMAINDER, help="run a module")
    run.add_argument("-c", dest="code", metavar="CODE", nargs=argparse.REMAINDER, help="run a string")
    run.add_argument("script", metavar="SCRIPT", nargs=argparse.REMAINDER, help="run a file; - is standard input")
    commands.add_parser("ops", help="list the operators; `ops where NAME` says where one is", add_help=False)
    inspect = commands.add_parser("inspect", help="what a saved model takes, gives and holds")
    inspect.add_argument(
        "path", metavar="MODEL_DIR", help="its folder, or its .pdmodel file with or without the suffix"
    )
    inspect.add_argument("--model", metavar="FILE", help="the file of the Program in the folder, if not __model__")
    commands.add_parser("info", help="versions, devices and cache directory, for a bug report")
    return parser


def _words(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> list[str]:
    """What `run` hands to Python."""
    for option, words in (("-m", arguments.module), ("-c", arguments.code)):
        if words is not None:
            if not words:
                parser.error(f"run {option} needs an argument")
            return [option, *words]
    if not arguments.script:
        parser.error("run needs a SCRIPT, -m MODULE or -c CODE; see `python -m paddle_lite run --help`")
    return list(arguments.script)
