"""The logger of the high-level API."""

from __future__ import annotations

import logging
import os
import sys

from ..distributed.environment import ParallelEnv

__all__ = ["setup_logger"]

FORMAT = "%(asctime)s - %(name)s - %(levelname)s - %(message)s"


def setup_logger(output: str | None = None, name: str = "hapi", log_level: int = logging.INFO) -> logging.Logger:
    """Return a logger that writes to standard output, in the first process of a job, and to a file if one is given.

    Arguments:
        output: a file that ends with .txt or .log, or a folder for a file log.txt, which is created; None: no file. Other
            processes than the first append their number to its name.
        name: the name of the logger.
        log_level: the lowest level that is written.

    Returns:
        A logging.Logger, the same one for the same name.

    >>> setup_logger().name
    'hapi'
    """
    logger = logging.getLogger(name)
    logger.propagate = False
    logger.setLevel(log_level)
    rank = ParallelEnv().local_rank
    if rank == 0 and not logger.handlers:
        _add(logger, logging.StreamHandler(sys.stdout), log_level)
    if output is not None:
        path = output if output.endswith((".txt", ".log")) else os.path.join(output, "log.txt")
        path += f".rank{rank}" if rank > 0 else ""
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        _add(logger, logging.FileHandler(path, encoding="utf8", delay=True), log_level)
    return logger


def _add(logger: logging.Logger, handler: logging.Handler, level: int) -> None:
    handler.setLevel(level)
    handler.setFormatter(logging.Formatter(FORMAT))
    logger.addHandler(handler)
