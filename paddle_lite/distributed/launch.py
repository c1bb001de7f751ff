"""`python -m paddle.distributed.launch SCRIPT ARGS`: starts the processes of a job, which this version does not do yet."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core.errors import NotYetAvailable
from ..core.missing import missing_text

__all__ = ["launch"]


def refuse(launcher: str) -> NoReturn:
    """Raise the error of a launcher of several processes, given its name."""
    raise NotYetAvailable(
        f"{missing_text(launcher)}. One process runs without it: python -m paddle_lite run SCRIPT ARGS."
    )


def launch(*_: Any) -> NoReturn:
    """Raise: jobs of several processes are not available yet.

    Raises:
        NotYetAvailable: always. A script runs as the only process of its job without a launcher.
    """
    refuse("paddle.distributed.launch")


if __name__ == "__main__":
    launch()
