from __future__ import annotations

import pytest

from .sandbox import Sandbox, build


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """A folder with a small paddle_lite, made once."""
    return build(tmp_path_factory.mktemp("sandbox"))
