"""The commands of `python -m paddle_lite`. The module of a command is imported when the command is called."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any

from paddle_lite.version import own_version

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return the exit code.

    A command ends quietly where the reader of its output, such as `head`, has had enough.

    Args:
        argv: the words after `python -m paddle_lite`; None: those of this process.

    Returns:
        The exit code: 0 if all went well.

    Raises:
        SystemExit: the command line is wrong, or asks for help.
    """
    try:
        try:
            return _command(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more as it ends
        return 1


def _command(argv: list[str]) -> int:
    """Run a command line and return the exit code."""
    if argv[:1] == ["ops"]:  # it has a parser of its own
        importlib.import_module("paddle_lite.static")  # which has operators of its own, too
        code: int = importlib.import_module("paddle_lite.ops.framework.listing").main(argv[1:])
        return code
    parser = _parser(argv[:1] == ["convert"])
    argv, words = _script_and_words(argv) if argv[:2] == ["cache", "warm"] else (argv, [])
    arguments = parser.parse_args(argv)
    if arguments.command == "info":
        from .info import report

        print(report())
        return 0
    if arguments.command == "inspect":
        from .inspect import main as inspect

        return inspect(arguments.path, arguments.model, arguments.plan, arguments.batch)
    if arguments.command == "convert":
        from .convert import main as convert

        return convert(arguments)
    if arguments.command == "distributed":
        from .jobs import main as jobs_main

        return jobs_main(arguments)
    if arguments.command == "gpu":
        from .gpu import main as gpu_main

        return gpu_main(arguments)
    if arguments.command == "cache":
        return _cache(arguments, words)
    if arguments.command == "run":
        from paddle_lite.compat.launch import run

        return run(_words(parser, arguments), "cpu" if arguments.cpu else "gpu" if arguments.gpu else None)
    if arguments.command in ("link", "unlink"):
        return _link(arguments.command)
    parser.print_help()
    return 0


def _link(command: str) -> int:
    """Run `link` or `unlink`; an error is one line, with exit code 1."""
    from paddle_lite.compat import link
    from paddle_lite.core.errors import ModeError

    try:
        print(link.link() if command == "link" else link.unlink())
    except (ModeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _script_and_words(argv: list[str]) -> tuple[list[str], list[str]]:
    """Return a command line up to the first script, and what follows it, which is the script's."""
    ends = [k + 1 for k, word in enumerate(argv) if word.endswith(".py")]
    return (argv[: ends[0]], argv[ends[0] :]) if ends else (argv, [])


def _cache(arguments: argparse.Namespace, words: list[str]) -> int:
    """Run an action of `cache`."""
    if arguments.action == "warm":
        from .warm import main as warm

        return warm(arguments, words)
    from .cache import remove, show, transfer

    if arguments.action in ("export", "import"):
        return transfer(arguments.action, arguments.file)
    return remove(arguments.others) if arguments.action == "clear" else show()


def _parser(converts: bool = False) -> argparse.ArgumentParser:
    """Return the parser of the command line; that of `convert` is imported only where it is called."""
    parser = argparse.ArgumentParser(
        prog="python -m paddle_lite", description="Run PaddlePaddle Fluid 1.8 and 2.0-alpha programs on today's Python."
    )
    parser.add_argument("--version", action="version", version=f"paddle_lite {own_version}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _add_run(commands)
    link = "make `import paddle` mean paddle_lite in this environment"
    scope = f"{_sentence(link)} It holds for scripts, notebooks, pytest, type checkers and editors."
    commands.add_parser("link", help=link, description=scope)
    commands.add_parser("unlink", help="undo `link`", description="Remove the package that `link` has written.")
    commands.add_parser("ops", help="list the operators; `ops where NAME` locates one", add_help=False)
    shows = "show the inputs, outputs and contents of a saved model"
    inspect = commands.add_parser("inspect", help=shows, description=_sentence(shows))
    inspect.add_argument(
        "path", metavar="MODEL", help="the folder of the model, or its .pdmodel file with or without the suffix"
    )
    inspect.add_argument("--model", metavar="FILE", help="the file of the Program in the folder, if not __model__")
    inspect.add_argument(
        "--plan", action="store_true", help="show the kernels that run it, with estimates of bytes and FLOPs"
    )
    inspect.add_argument("--batch", type=int, metavar="N", help="with --plan: the value of unknown sizes")
    formats = "convert a model to ONNX, PyTorch, PaddlePaddle 3, safetensors"
    convert = commands.add_parser(
        "convert", help=formats, description=f"{_sentence(formats)} Or read weights from a file."
    )
    if converts:
        from .convert import add_arguments

        add_arguments(convert)
    cached = "manage compiled kernels: info, clear, warm, export, import"
    _add_cache(commands.add_parser("cache", help=cached, description=_sentence(cached)))
    jobs = "show the state of parameter servers; run a job on Ray"
    from .jobs import add as add_jobs

    add_jobs(commands.add_parser("distributed", help=jobs, description=_sentence(jobs)))
    from .gpu import add as add_gpu

    check = "test and measure paddle_lite on a GPU, and write a report"
    add_gpu(commands.add_parser("gpu", help=check, description=_sentence(check)))
    info = "show versions, devices and the cache directory"
    commands.add_parser("info", help=info, description=_sentence(info))
    return parser


def _add_run(commands: Any) -> None:
    """Add the command line of `run`; the words after a script are its arguments."""
    run = commands.add_parser(
        "run",
        help="run an unmodified PaddlePaddle script",
        usage="python -m paddle_lite run [--cpu | --gpu] (SCRIPT | -m MODULE | -c CODE) [ARGS ...]",
        description="Run a program as `python` would, with `import paddle` meaning paddle_lite, in this process and in "
        "those that it starts.",
        allow_abbrev=False,
    )
    place = run.add_mutually_exclusive_group()
    place.add_argument("--cpu", action="store_true", help="make CUDAPlace mean the CPU")
    place.add_argument("--gpu", action="store_true", help="make CPUPlace mean the GPU")
    run.add_argument("-m", dest="module", metavar="MODULE", nargs=argparse.REMAINDER, help="run a module")
    run.add_argument("-c", dest="code", metavar="CODE", nargs=argparse.REMAINDER, help="run a string")
    run.add_argument("script", metavar="SCRIPT", nargs=argparse.REMAINDER, help="run a file; - is standard input")


def _sentence(help_text: str) -> str:
    """Return the help of a command as a sentence: the description that `COMMAND --help` shows."""
    return f"{help_text[0].upper()}{help_text[1:]}."


def _add_cache(cache: argparse.ArgumentParser) -> None:
    """Add the command line of `cache`."""
    actions = cache.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    actions.add_parser("info", help="show where the kernels are, how many, and which versions made them")
    clear = actions.add_parser("clear", help="delete the kernels; they are compiled again when needed")
    clear.add_argument("--others", action="store_true", help="delete only those that other versions made")
    export = actions.add_parser(
        "export", help="write the kernels of this version to one file, for machines of this kind"
    )
    export.add_argument("file", metavar="FILE", help="the archive to write")
    imports = actions.add_parser(
        "import", help="read such a file; it is machine code, so use only files that you trust"
    )
    imports.add_argument("file", metavar="FILE", help="an archive of `cache export`")
    warm = actions.add_parser(
        "warm",
        help="compile in advance the kernels of a saved model, of a script, or of common networks",
        usage="python -m paddle_lite cache warm [OPTIONS MODEL | SCRIPT.py [ARGS ...]]",
    )
    what = "a saved model's folder, or its .pdmodel file with or without the suffix; or a script, which is run"
    warm.add_argument(
        "path", metavar="PATH", nargs="?", help=f"{what}; without it, common networks are trained for two steps each"
    )
    warm.add_argument("--model", metavar="FILE", help="the file of the Program in the folder, if not __model__")
    warm.add_argument("--params", metavar="FILE", help="the file of all parameters, if it is not found automatically")
    warm.add_argument("--batch", type=int, default=1, metavar="N", help="the batch size (1)")
    shape = "the shape of an input with unknown sizes besides the batch; once for each such input"
    warm.add_argument("--shape", action="append", default=[], metavar="NAME=D,D,...", help=shape)


def _words(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> list[str]:
    """Return the words that `run` hands to Python."""
    for option, words in (("-m", arguments.module), ("-c", arguments.code)):
        if words is not None:
            if not words:
                parser.error(f"run {option} needs an argument")
            return [option, *words]
    if not arguments.script:
        parser.error("run needs a SCRIPT, -m MODULE or -c CODE; see `python -m paddle_lite run --help`")
    return list(arguments.script)
