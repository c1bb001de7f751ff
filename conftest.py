"""Examples in docstrings start in static mode and with fresh names and Programs, whatever the one before has left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from paddle_lite.core import seeds, unique_name
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.static.mode.static_mode import static_mode


@pytest.fixture(autouse=True)
def _apart(request: pytest.FixtureRequest) -> Iterator[None]:
    if isinstance(request.node, pytest.DoctestItem):
        with switched(static_mode, CPUPlace(), None), unique_name.guard(), seeds.fresh_programs():
            yield
    else:
        yield
