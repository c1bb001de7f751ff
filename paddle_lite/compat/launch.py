"""`python -m paddle_lite run`: Python itself runs the script, with `site/` first on its path.

This process is replaced, so that sys.argv, `__main__`, tracebacks, signals and the exit code are those of a plain run.
The environment variable PYTHONPATH carries `site/` to the processes that the script starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SITE = str(Path(__file__).resolve().parent / "site")


AS_DEVICE = {"cpu": "PADDLE_LITE_CUDA_AS_CPU", "gpu": "PADDLE_LITE_CPU_AS_CUDA"}
"""The variables that let every place mean a device."""


def environment(device: str | None = None) -> dict[str, str]:
    """Return the environment in which `paddle` means paddle_lite.

    Arguments:
        device: "cpu" lets CUDAPlace mean the CPU, "gpu" lets CPUPlace mean the GPU.
    """
    env = dict(os.environ)
    path = [part for part in env.get("PYTHONPATH", "").split(os.pathsep) if part and part != SITE]
    env["PYTHONPATH"] = os.pathsep.join([SITE, *path])
    if device is not None:
        env |= {variable: "1" if name == device else "0" for name, variable in AS_DEVICE.items()}
    return env


def interpreter_options() -> list[str]:
    """Return the options that this Python was started with (-O, -W, -X, ...), for another one."""
    unbuffered = ["-u"] if getattr(sys.stdout, "write_through", False) else []
    return unbuffered + subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]


def run(arguments: list[str], device: str | None = None) -> int:
    """Run `python *arguments` with `paddle` meaning paddle_lite; returns only on Windows, with the exit code.

    Args:
        arguments: what follows `python` on the command line: SCRIPT ARGS, -m MODULE ARGS or -c CODE ARGS.
        device: "cpu" lets CUDAPlace mean the CPU, "gpu" lets CPUPlace mean the GPU, in the script and in the processes that it starts.

    Raises:
        SystemExit: Python was told to ignore PYTHONPATH (-I, -E) or not to run sitecustomize (-S).
    """
    if sys.flags.ignore_environment or sys.flags.no_site:
        raise SystemExit("paddle_lite run: needs PYTHONPATH and site; start it without -I, -E and -S")
    command = [sys.executable, *interpreter_options(), *arguments]
    env = environment(device)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":  # exec on Windows returns to the shell before the script has ended
        return _wait(command, env)
    os.execve(sys.executable, command, env)


def run_and_wait(arguments: list[str], variables: dict[str, str]) -> int:
    """Run `python *arguments` with `paddle` meaning paddle_lite and with more environment variables; return the exit code."""
    sys.stdout.flush()
    return _wait([sys.executable, *interpreter_options(), *arguments], {**environment(), **variables})


def _wait(command: list[str], env: dict[str, str]) -> int:
    """Run a command to its end; Ctrl-C is the command's to handle."""
    with subprocess.Popen(command, env=env) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue
