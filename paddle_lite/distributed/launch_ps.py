"""`python -m paddle.distributed.launch_ps SCRIPT ARGS`: starts the processes of a job, which this version does not do yet."""

from __future__ import annotations

from typing import Any, NoReturn

from .launch import refuse

__all__ = ["launch"]


def launch(*_: Any) -> NoReturn:
    """Raise: jobs of several processes are not available yet.

    Raises:
        NotYetAvailable: always. A script runs as the only process of its job without a launcher.
    """
    refuse("paddle.distributed.launch_ps")


if __name__ == "__main__":
    launch()
