"""`python -m paddle.distributed.launch SCRIPT ARGS`: starts the processes of a job, which this version does not do yet."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core.errors import NotYetAvailable
from ..core.missing import missing_text

__all__ = ["launch"]


def launch(*_: Any) -> NoReturn:
    """Raise: jobs of several processes are not available yet.

    Raises:
        NotYetAvailable: always. A script runs as the only process of its job without a launcher.
    """
    text = missing_text("paddle.distributed.launch")
    raise NotYetAvailable(f"{text}. One process runs without it: python -m paddle_lite run SCRIPT ARGS.")


if __name__ == "__main__":
    launch()
