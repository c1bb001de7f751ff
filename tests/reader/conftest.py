"""No test of this folder may leave a thread or a process behind."""

import multiprocessing
import threading

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name


@pytest.fixture(autouse=True)
def nothing_left_behind():
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert not left, f"threads left behind: {left}"
    assert not multiprocessing.active_children()


@pytest.fixture
def programs():
    """Fresh Programs, names and Scope; gives the main Program."""
    with unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield fluid.default_main_program()
