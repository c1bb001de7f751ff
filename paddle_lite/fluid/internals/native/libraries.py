"""Commands of the shell and shared libraries, as `fluid.core` of 1.8.5 looks for them before it loads its own."""

from __future__ import annotations

import contextlib
import ctypes
import re
import subprocess
from pathlib import Path

from ....core.errors import ArgumentValueError, describe, message

__all__ = ["get_dso_path", "get_glibc_ver", "less_than_ver", "load_dso", "run_cmd", "run_shell_command"]

core_suffix = "so"
current_path = str(Path(__file__).resolve().parents[2])
legacy_core = str(Path(current_path) / f"core.{core_suffix}")


def run_shell_command(cmd: str) -> str | None:
    """Run a command of the shell.

    Arguments:
        cmd: the command.

    Returns:
        What it prints, without the white space around it; None if it prints errors.

    >>> run_shell_command('echo one')
    'one'
    """
    done = subprocess.run(cmd, shell=True, capture_output=True, text=True, check=False)
    return None if done.stderr else done.stdout.strip()


def run_cmd(cmd: str, time_out: int = -1, sleep_inter: int = -1) -> str:
    """Run a command of the shell.

    Arguments:
        cmd: the command.
        time_out, sleep_inter: accepted for Fluid code, ignored: 1.8.5 waits for the command's end, too.

    Returns:
        What it prints.
    """
    done = subprocess.run(cmd, shell=True, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout


def less_than_ver(a: str, b: str) -> bool:
    """Return whether a version is lower than another one; zeros at the end do not count.

    >>> less_than_ver('2.9', '2.23'), less_than_ver('2.23.0', '2.23')
    (True, False)

    Raises:
        ArgumentValueError: one of them is no numbers with dots.
    """
    return _numbers("a", a) < _numbers("b", b)


def _numbers(name: str, version: str) -> list[int]:
    text = re.sub(r"(\.0+)*$", "", version)
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise ArgumentValueError(message("less_than_ver", name, describe(version), "numbers with dots, such as '2.23'"))
    return [int(part) for part in text.split(".")]


def get_glibc_ver() -> str | None:
    """Return the version of the C library that programs of this system use; None where `ldd` does not say it."""
    first = (run_shell_command("ldd --version 2>/dev/null | head -n 1") or "").split()
    return first[-1] if first else None


def get_dso_path(core_so: str | None, dso_name: str | None) -> str | None:
    """Return the file of the first shared library of this name that a program or library needs.

    Arguments:
        core_so: the file of the program or library.
        dso_name: a part of the library's name.

    Returns:
        The path, an empty string where it needs none, None where one of the arguments is empty.
    """
    if not core_so or not dso_name:
        return None
    try:
        done = subprocess.run(["ldd", core_so], capture_output=True, text=True, check=False)
    except OSError:
        return None
    paths = (line.split("=>")[1].split()[0] for line in done.stdout.splitlines() if dso_name in line and "=>" in line)
    return next(paths, "")


def load_dso(dso_absolute_path: str | None) -> None:
    """Load a shared library into this process; a file that is none is left out, as in 1.8.5."""
    if dso_absolute_path:
        with contextlib.suppress(OSError):
            ctypes.CDLL(dso_absolute_path)
