"""The first steps of the examples that build Programs, with all passes and with each left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from examples import crf_tagger, ctr_wide_deep, language_model, sentiment_conv, sentiment_lstm, seq2seq_reversal
from paddle_lite.core import seeds, unique_name
from paddle_lite.static import Executor, Scope, scope_guard
from paddle_lite.static.plan import Plan
from tests.static.passes import passes
from tests.static.plan.running import EACH_LEFT_OUT, equal

EXAMPLES = (crf_tagger, ctr_wide_deep, language_model, sentiment_conv, sentiment_lstm, seq2seq_reversal)


class Enough(Exception):
    """As many steps as the test wants."""


class Everything(set):
    """The shapes that a Plan has checked: as if all had been, so that each run goes through the passes."""

    def __contains__(self, key: object) -> bool:
        return True


def first_steps(example: Any, way: str, count: int, start: dict[str, np.ndarray]) -> list[list[Any]]:
    """What the first runs of an example return; the parameters begin as in `start`, or are put there."""
    found: list[list[Any]] = []
    execute, init = Executor.execute, Plan.__init__

    def executed(self: Any, program: Any, feed: Any, fetches: Any, scope: Scope, *more: Any) -> Any:
        results = execute(self, program, feed, fetches, scope, *more)
        if not results:
            for name, tensor in scope.values.items():
                tensor.array = start.setdefault(name, np.array(tensor.array)).copy()
        else:
            found.append([np.array(value) for value, _ in results])
        if len(found) == count:
            raise Enough
        return results

    def made(self: Any, *args: Any, **more: Any) -> None:
        init(self, *args, **more)
        self._seen = Everything()

    fresh = (unique_name.guard(), seeds.fresh_programs(), scope_guard(Scope()))
    with pytest.MonkeyPatch.context() as patch, passes(way, 0), fresh[0], fresh[1], fresh[2]:
        patch.delenv("PADDLE_LITE_DATA_HOME", raising=False)
        patch.setattr(Executor, "execute", executed)
        patch.setattr(Plan, "__init__", made)
        with pytest.raises(Enough):
            example.main(["--quick"])
    return found


@pytest.mark.judge
@pytest.mark.parametrize("place", range(len(EXAMPLES)), ids=lambda k: EXAMPLES[k].__name__.rpartition(".")[2])
def test_examples(place: int, compiled: None) -> None:
    """Each leaves out one pass, the next example the next one."""
    count = 3
    start: dict[str, np.ndarray] = {}
    expected = first_steps(EXAMPLES[place], "none", count, start)
    others = [way for way in EACH_LEFT_OUT if way != "all"]
    for way in ("all", others[place % len(others)]):
        for step, (got, right) in enumerate(
            zip(first_steps(EXAMPLES[place], way, count, start), expected, strict=True)
        ):
            for a, b in zip(got, right, strict=True):
                equal(a, b, f"step {step} with {way}", rtol=1e-4)
