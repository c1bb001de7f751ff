"""Which files have examples in docstrings, and what they and tests do not depend on: what has been drawn, made and switched before them."""

from __future__ import annotations

import linecache
import random
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite.core import seeds, unique_name
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.kernels.cpu.random import random as random_kernels
from paddle_lite.static.mode.static_mode import static_mode

TESTS = Path(__file__).with_name("tests")
_STATES: dict[Any, Any] = {}
"""Generators of random numbers in the modules of tests -> their states when the first test of the module began."""


@pytest.fixture(autouse=True)
def _draws(request: pytest.FixtureRequest) -> None:
    """Each test draws the same numbers alone, among others and in any order: the seeds come from its name.

    Generators that its module has begin where they began.
    """
    seed = zlib.crc32(request.node.nodeid.encode())
    random.seed(seed)
    np.random.seed(seed)
    random_kernels.manual_seed(seed)
    for value in vars(getattr(request.node, "module", None) or object).values():
        if isinstance(value, np.random.Generator):
            value.bit_generator.state = _STATES.setdefault(value, value.bit_generator.state)
        elif isinstance(value, np.random.RandomState):
            value.set_state(_STATES.setdefault(value, value.get_state()))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --judge."""
    parser.addoption("--judge", action="store_true", help="run the tests that `make judge` runs, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of `make judge`, unless they are asked for."""
    if config.getoption("--judge"):
        return
    sides: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        sides[item.get_closest_marker("judge") is not None].append(item)
    config.hook.pytest_deselected(items=sides[True])
    items[:] = sides[False]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in paddle_lite only: the files beside the tests need not be imported for it."""
    found = yield
    return [each for each in found if type(each) is pytest.Module] if TESTS in file_path.parents else found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Start each example in static mode and with fresh names and Programs, whatever the one before has left."""
    if isinstance(item, pytest.DoctestItem):
        with switched(static_mode, CPUPlace(), None), unique_name.guard(), seeds.fresh_programs(), _unchanged_files():
            yield
    else:
        yield


@contextmanager
def _unchanged_files() -> Iterator[None]:
    """Do not ask of every file whose lines are known whether it has changed: doctest resets a debugger for each example, which asks."""
    check = linecache.checkcache
    linecache.checkcache = lambda filename=None: None
    try:
        yield
    finally:
        linecache.checkcache = check
