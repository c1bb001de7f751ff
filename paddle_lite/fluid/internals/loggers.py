"""The loggers of files of Fluid 1.8.5, with their names and levels."""

from __future__ import annotations

import logging

from .decorators import get_logger

__all__: list[str] = []

_LINE = "%(asctime)s-%(levelname)s: %(message)s"

backward = get_logger("paddle.fluid.backward", logging.INFO, fmt=_LINE)
io = get_logger("paddle.fluid.io", logging.INFO, fmt=_LINE)
trainer_factory = get_logger("paddle.fluid.trainer_factory", logging.INFO, fmt=_LINE)
jit = logging.getLogger("fluid")
root = logging.getLogger()
