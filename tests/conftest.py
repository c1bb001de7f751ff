"""Settings of all tests."""

import gc
import signal
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from paddle_lite.core import generated
from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.static.program.program import Program, switch_main_program, switch_startup_program
from tests import children
from tests.random_states import RandomState

# How long an example takes says nothing here: kernels are compiled at their first use, and machines are shared.
# `pytest --hypothesis-profile=thorough` tries more examples.
settings.register_profile("paddle_lite", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("paddle_lite")

# Hypothesis would parse every module that has been imported, for its constants: what a test draws would depend on the tests before it.
providers._get_local_constants = lambda: providers._local_constants

gc.disable()  # until all tests are collected: hardly anything that is made there is garbage
gc.set_threshold(400_000, 20, 100)  # compiling makes so many objects that a sixth of it went into looking for garbage

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in background jobs of shells; tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

np.random.RandomState = RandomState

set_flags({"FLAGS_plan_warm_up": 2**31})  # there are thousands of fused kernels: a test asks for them by `compiled`


_compiled = lru_cache(maxsize=1000)(lambda source: compile(source, "", "exec"))


def _named(code: CodeType, filename: str) -> CodeType:
    """Copy the code of a source text, for a file."""
    parts = tuple(_named(each, filename) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=filename, co_consts=parts)


# Two of three texts of Plans and of kernels that are run by Python are those of a test before, under another name.
generated.compile = lambda source, filename, mode: _named(_compiled(source), filename)


def pytest_collection_finish() -> None:
    """Leave the tests themselves, millions of objects, out of every look for garbage."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Leave what the tests of a file have left, such as modules and kernels, out of later looks, too: tests ask for hundreds of them."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture
def compiled() -> Iterator[None]:
    """Compile the fused kernels of Plans, after a warm-up of 16 runs."""
    before = get_flags(["FLAGS_plan_warm_up"])
    set_flags({"FLAGS_plan_warm_up": 16})
    yield
    set_flags(before)


@pytest.fixture(autouse=True)
def own_programs() -> Iterator[None]:
    """Give each test default Programs of its own, so that no name of another test is taken; all threads see them."""
    before = switch_main_program(Program()), switch_startup_program(Program())
    yield
    switch_main_program(before[0])
    switch_startup_program(before[1])


@pytest.fixture(autouse=True, scope="session")
def no_server_is_left() -> Iterator[None]:
    """End the processes that fork children for tests."""
    yield
    children.end()


@pytest.fixture(autouse=True, scope="session")
def no_kernel_of_the_library_needs_numba() -> Iterator[None]:
    """Fail in the end if a kernel that the tests have run was left to Numba."""
    yield
    from paddle_lite.kernels.compiler import objects

    ours = (
        "paddle_lite.kernels.",
        "paddle_lite.generated._numba_",
        "paddle_lite.generated.fused",
        "paddle_lite.generated.loops",
    )
    left = {name: why for name, why in objects.fallbacks.items() if name.startswith(ours)}
    assert not left, left
