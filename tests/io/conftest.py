"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import paddle_lite.fluid as fluid

from .trained import Net


@pytest.fixture
def net() -> Iterator[Net]:
    """A small net, trained for a step in a Scope of its own."""
    with fluid.scope_guard(fluid.Scope()):
        yield Net()
