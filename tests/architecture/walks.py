"""How many files of paddle_lite a call enters on its way: `python -m tests.architecture.walks` lists them.

Each walk is taken twice, and the second time counts: by then names are loaded and kernels are compiled. The fewer files,
the sooner a reader has followed the call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import paddle_lite
from paddle_lite import fluid

PACKAGE = Path(paddle_lite.__file__).parent


def files_entered(walk: Callable[[], object]) -> list[str]:
    """Return the files of paddle_lite of which functions ran while `walk()` did, in the order of entry."""
    entered: dict[str, None] = {}

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename not in entered:
            entered[frame.f_code.co_filename] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return [str(Path(name).relative_to(PACKAGE)) for name in entered if Path(name).is_relative_to(PACKAGE)]


def run_program(build: Callable[[], Any], feed: dict[str, Any]) -> None:
    """Build a Program, start it and run it: from the layer functions to the kernels."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        fetched = build()
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        executor.run(main, feed, [fetched], return_numpy=False)


@contextmanager
def eager_relu() -> Iterator[Callable[[], object]]:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones((2, 3), "float32"))
        yield lambda: fluid.layers.relu(x)


def static_relu() -> None:
    run_program(lambda: fluid.layers.relu(fluid.data("x", [2, 3])), {"x": np.ones((2, 3), "float32")})


def dynamic_lstm() -> None:
    rows = fluid.create_lod_tensor(np.ones((5, 16), "float32"), [[2, 3]], fluid.CPUPlace())
    run_program(lambda: fluid.layers.dynamic_lstm(fluid.data("x", [None, 16], lod_level=1), 16)[0], {"x": rows})


@fluid.dygraph.declarative
def halved(x: Any) -> Any:
    while fluid.layers.reduce_sum(x) > 1.0:
        x = x / 2.0
    return x


@contextmanager
def declared_while() -> Iterator[Callable[[], object]]:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones((2, 3), "float32"))
        yield lambda: halved(x)


WALKS = {
    "relu of imperative mode": eager_relu,
    "relu of a Program, from the layer function to the kernel": lambda: nullcontext(static_relu),
    "dynamic_lstm of a Program": lambda: nullcontext(dynamic_lstm),
    "a declared function with a while loop": declared_while,
}


if __name__ == "__main__":
    for name, prepared in WALKS.items():
        with prepared() as walk:
            walk()
            entered = files_entered(walk)
        print(f"{len(entered):3} {name}")
        if "-v" in sys.argv:
            print("".join(f"      {file}\n" for file in entered), end="")
