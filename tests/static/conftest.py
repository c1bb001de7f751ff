"""Each test of this folder has Programs, a Scope and names of its own."""

import pytest

from paddle_lite.core import unique_name
from paddle_lite.core.mode import state, static_mode
from paddle_lite.static import Program, Scope, program_guard, scope_guard


@pytest.fixture(autouse=True)
def fresh_programs():
    before, state.recorder = state.recorder, static_mode
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        yield
    state.recorder = before
