"""The examples of fluid.layers, which are written for imperative mode, give the same in Programs.

`to_variable` makes a data Variable here, `numpy()` runs the Program; everything else is as it stands in the docstrings.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite import imperative
from paddle_lite.core.mode import switched
from paddle_lite.static import Variable
from paddle_lite.static.mode.static_mode import static_mode

NOT_HERE = {
    "create_parameter": "no operator",
    "get_tensor_from_selected_rows": "SelectedRows cannot be fed",
    "merge_selected_rows": "SelectedRows cannot be fed",
}
UNKNOWN = {
    "MultivariateNormalDiag": "the matrix is as large as there are numbers",
    "npair_loss": "each row is compared with as many",
    "unstack": "there are as many parts",
}
"""Examples that do not work where the number of rows is not known, and why."""
EXAMPLES = {
    name: test
    for name in dir(fluid.layers)
    if callable(function := getattr(fluid.layers, name))
    and function.__module__.startswith("paddle_lite.layers")
    and name not in NOT_HERE
    for test in doctest.DocTestFinder(recurse=False).find(function, name)
    if any("dygraph.guard" in example.source for example in test.examples)
}


class Running:
    """The Program of an example: what is fed to it, and how its results are read."""

    def __init__(self, unknown: bool) -> None:
        self.unknown = unknown
        self.feed: dict[str, Any] = {}
        self.main, self.startup = fluid.Program(), fluid.Program()
        self.ran = 0

    @contextmanager
    def guard(self, place: Any = None) -> Iterator[None]:
        scope = fluid.scope_guard(fluid.Scope())
        with fluid.program_guard(self.main, self.startup), fluid.unique_name.guard(), scope:
            yield

    def to_variable(self, array: Any, name: str | None = None) -> Variable:
        if isinstance(array, Variable):
            return array
        if isinstance(array, fluid.LoDTensor):
            return self.ragged(np.array(array), array.lod())
        shape = [-1, *array.shape[1:]] if self.unknown else list(array.shape)
        variable = fluid.data(name or f"data_{len(self.feed)}", shape, array.dtype.name)
        self.feed[variable.name] = array
        return variable

    def ragged(self, array: np.ndarray, lod: Any = ()) -> Variable:
        """A data Variable with a LoD."""
        name = f"data_{len(self.feed)}"
        variable = fluid.data(name, [-1, *array.shape[1:]], array.dtype.name, lod_level=len(lod))
        lengths = [np.diff(level).tolist() for level in lod]
        self.feed[name] = fluid.create_lod_tensor(array, lengths, fluid.CPUPlace())
        return variable

    def value(self, variable: Variable) -> Any:
        exe = fluid.Executor()
        exe.run(self.startup)
        return exe.run(self.main, feed=self.feed, fetch_list=[variable], return_numpy=False)[0]


class Loose(doctest.OutputChecker):
    """Shapes are tuples here and lists there; sizes may be unknown."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        want, got = (
            re.sub(r"(\s|<BLANKLINE>)+", " ", text.replace("(", "[").replace(")", "]").replace(",]", "]"))
            for text in (want, got)
        )
        if super().check_output(want, got, optionflags):
            return True
        pattern = re.escape(got).replace(re.escape("-1"), r"-?\d+")
        return re.fullmatch(pattern, want) is not None


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        pytest.param(name, unknown, id=f"{name}-{'unknown' if unknown else 'known'}")
        for name in EXAMPLES
        for unknown in (False, True)
        if not (unknown and name in UNKNOWN)
    ],
)
def test_examples_give_the_same_in_programs(name: str, unknown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    running = Running(unknown)
    monkeypatch.setattr(fluid.dygraph, "guard", running.guard)
    monkeypatch.setattr(fluid.dygraph, "to_variable", running.to_variable)
    monkeypatch.setattr(imperative, "to_variable", running.to_variable)
    monkeypatch.setattr(imperative, "Variable", running.ragged)
    monkeypatch.setattr(Variable, "numpy", lambda self: np.array(running.value(self)))
    monkeypatch.setattr(Variable, "lod", lambda self: running.value(self).lod(), raising=False)
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=Loose(), verbose=False)
    test = EXAMPLES[name]
    with switched(static_mode, fluid.CPUPlace(), None):
        runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)
    assert running.main.global_block().ops
