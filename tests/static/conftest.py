"""Each test of this folder has Programs, a Scope and names of its own."""

import pytest

from paddle_lite.core import unique_name
from paddle_lite.core.mode import state
from paddle_lite.static import Program, Scope, program_guard, scope_guard
from paddle_lite.static.mode.static_mode import static_mode


@pytest.fixture(autouse=True)
def fresh_programs():
    before, state.mode = state.mode, static_mode
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        yield
    state.mode = before
