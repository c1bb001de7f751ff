"""Drawn Programs that train: the same in every way; `python -m tests.programs.drawn --training` tries more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.static.plan.running import interpreted

from . import __main__ as command
from . import training
from .builder import Input
from .optimizers import CLIPS, PENALTIES, RATES, RULES, Chosen
from .running import tried
from .shrink import shrunk
from .trial import Trial


@pytest.fixture(autouse=True)
def _kernels_of_python() -> Iterator[None]:
    with interpreted():
        yield


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(6))
def test_drawn_programs_train_the_same_in_every_way(seed: int) -> None:
    outcome = tried(training.drawn_training(seed))
    assert not outcome.differences, outcome.listing
    assert outcome.tally["fused", "elements"] > outcome.tally["fused", "undecided"]


PLAN = [
    ("dense", (0,), ()),
    ("product", (0,), ()),
    ("ids", (1,), ()),
    ("embedding", (0, 0, 1), ()),
    ("unary", (0,), ()),
]
TRIAL = Trial(PLAN, "float32", 1, training.STEPS, True)


@pytest.mark.parametrize("rule", RULES)
def test_each_optimizer_trains_dense_and_sparse_parameters(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training.optimizers, "chosen", lambda rng: Chosen(rule, "0.05", "none", "none"))
    outcome = tried(TRIAL)
    assert outcome.differences == [] and "embedding padding=-1 sparse" in outcome.listing and rule in outcome.listing


@pytest.mark.parametrize(("table", "at"), [(RATES, 1), (PENALTIES, 2), (CLIPS, 3)])
def test_each_rate_penalty_and_clip_is_compared(table: Any, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in table:
        named = ["Momentum", "0.05", "none", "none"]
        named[at] = name
        monkeypatch.setattr(training.optimizers, "chosen", lambda rng, named=named: Chosen(*named))
        assert tried(TRIAL, ["unfused"]).differences == [], name


def test_a_fault_of_an_update_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    executed = training.executed

    def wrong(trained: Any, feeds: Any, which: str, reloaded: bool = False) -> Any:
        made = executed(trained, feeds, which, reloaded)
        if which == "all" and "w_4x4#0" in made:
            made["w_4x4#0"] = made["w_4x4#0"] * np.float32(1.00001)
        return made

    monkeypatch.setattr(training, "executed", wrong)
    outcome = tried(TRIAL)
    assert {(d.way, d.name) for d in outcome.differences} == {("fused", "w_4x4#0"), ("reloaded and fused", "w_4x4#0")}
    assert [kind for kind, _, _ in shrunk(TRIAL).plan] == ["dense", "product"]


def test_an_error_of_one_way_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(training.WAYS, "fused", lambda trained, feeds: KeyError("x"))
    assert [d.way for d in tried(TRIAL).differences] == ["fused"]


def test_the_command_trains(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--training", "--programs", "1", "--seed", "0"]) == 0
    assert "1 programs tried, 0 failed" in capsys.readouterr().out
    plan = json.dumps([TRIAL.plan, TRIAL.dtype, TRIAL.seed])
    assert command.main(["--training", "--plan", plan]) == 0
    assert "embedding padding=-1 sparse" in capsys.readouterr().out


def test_parameters_are_not_fed() -> None:
    with training.program_of(TRIAL) as trained:
        assert trained.parameters == ["w_4x4", "w_7x4"] and set(training.fed_of(trained)) == {"a", "ids"}
        assert trained.inputs["w_4x4"] == Input((4, 4), "float32", parameter=True)


def test_a_parameter_of_a_branch_that_is_not_taken_is_updated_by_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    """A penalty moves it in Programs, and the imperative run is told so."""
    named = Chosen("Momentum", "0.05", "L2", "none")
    monkeypatch.setattr(training.optimizers, "chosen", lambda rng: named)
    step = ("cond", (0, 0), ((("prelu", (0,), ()),), ()))
    for dense in (0, 1, 2):
        trial = Trial([("dense", (dense,), ()), step], "float32", 1, training.STEPS[:1], True)
        assert tried(trial).differences == []
