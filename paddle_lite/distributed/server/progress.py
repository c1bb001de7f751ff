"""The line that tells how far a server is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from ...core.progress.streams import is_watched
from ..status import summary

EVERY_LIVE, EVERY_LOGGED = 1.0, 60.0  # seconds


class Progress:
    """Writes a line about a server: over the one before in a terminal or notebook, at most once a minute in a log.

    Arguments:
        endpoint: of the server.
        status: returns its state.
        stream: where the line goes; sys.stderr where it is None.
    """

    def __init__(self, endpoint: str, status: Callable[[], dict[str, Any]], stream: TextIO | None = None) -> None:
        self._endpoint, self._status = endpoint, status
        self._stream = sys.stderr if stream is None else stream
        self._live = is_watched(self._stream)
        self._next = time.monotonic() + (EVERY_LIVE if self._live else EVERY_LOGGED)
        self._width = 0

    def tick(self) -> None:
        """Write the line if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (EVERY_LIVE if self._live else EVERY_LOGGED)
        text = summary(self._endpoint, self._status())
        if self._live:
            self._stream.write(f"\r{text.ljust(self._width)}")
            self._width = len(text)
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Leave the line as it is, and begin a new one."""
        if self._width:
            self._stream.write("\n")
            self._stream.flush()
