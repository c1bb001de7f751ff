"""Have the build of a wheel, or of an editable installation, compile the kernels that most programs need.

They go into the folder `paddle_lite/kernels/installed`, and are for the processor and the versions of the build; elsewhere they are not
used, and the wheel is still one for every machine. HATCH_BUILD_NO_HOOKS=true builds without them. Where compiling fails, the build says so in a
line and goes on: kernels are then compiled at their first use.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PATIENCE = 600  # seconds; it takes some 12 of CPU time
SWITCHES = ("FLAGS_", "PADDLE_LITE_")  # how environment variables begin that change which kernels are made, or how
KEPT = ("PADDLE_LITE_PROCESSOR",)  # of these, what says where the kernels will run


class CustomBuildHook(BuildHookInterface):
    """The hook that `pyproject.toml` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernels; their files are artifacts of the wheel."""
        problem = compile_kernels(self.root)
        if problem:
            self.app.display_warning(f"paddle_lite: no kernels were compiled for the installation: {problem}")


def compile_kernels(root: str) -> str:
    """Compile the kernels of the package in this folder in a process of its own; return what went wrong, or ""."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith(SWITCHES) or name in KEPT}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-W", "ignore", "-m", "paddle_lite.cli.installing"]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
    return said if done.returncode else ""
