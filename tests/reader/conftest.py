"""No test of this folder may leave a thread or a process behind."""

import multiprocessing
import threading

import pytest


@pytest.fixture(autouse=True)
def nothing_left_behind():
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert not left, f"threads left behind: {left}"
    assert not multiprocessing.active_children()
