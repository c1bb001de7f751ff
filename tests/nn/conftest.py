"""Every test here runs in imperative mode, with names from 0."""

import pytest

from paddle_lite.imperative import guard


@pytest.fixture(autouse=True)
def imperative():
    with guard():
        yield
