"""Each test of this folder has an empty cache of its own, unless it asks for the real data."""

import os
from pathlib import Path

import pytest

from paddle_lite.dataset import common, uci_housing


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty DATA_HOME, and no PADDLE_LITE_DATA_HOME."""
    monkeypatch.setattr(common, "DATA_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PADDLE_LITE_DATA_HOME", raising=False)
    monkeypatch.setattr(uci_housing, "UCI_TRAIN_DATA", None)
    monkeypatch.setattr(uci_housing, "UCI_TEST_DATA", None)
    return tmp_path / "cache"


_REAL = os.environ.get("PADDLE_LITE_DATA_HOME", "")


@pytest.fixture
def real_data(request, cache, monkeypatch):
    """PADDLE_LITE_DATA_HOME as it was, if it holds the data set that the test is marked with."""
    name = request.node.get_closest_marker("data").args[0]
    if not _REAL or not Path(_REAL, name).is_dir():
        pytest.skip(f"PADDLE_LITE_DATA_HOME does not hold {name}")
    monkeypatch.setenv("PADDLE_LITE_DATA_HOME", _REAL)
