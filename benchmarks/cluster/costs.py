"""What steps and messages cost: the numbers that a simulation rests on, as `simulate_cluster --measure` finds and stores them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("costs.json")


@dataclass(frozen=True)
class Side:
    """Processor seconds of a call on one of its two sides: of the call, of a byte sent and of a byte received by the trainer."""

    call: float
    sent: float
    received: float

    def of(self, calls: float, sent: float, received: float) -> float:
        """Return the processor seconds of some calls with so many bytes together."""
        return calls * self.call + sent * self.sent + received * self.received


@dataclass(frozen=True)
class Rule:
    """Processor seconds of a way to train, beside those of its messages.

    Attributes:
        step: of a trainer or worker in a step.
        push: of a trainer for the exchange of changes (GEO).
        update_base, update: of all servers together, for an update and for each trainer's part in it.
        byte: of a worker for a byte that goes to its neighbour.
    """

    step: float
    push: float = 0.0
    update_base: float = 0.0
    update: float = 0.0
    byte: float = 0.0


@dataclass(frozen=True)
class Costs:
    """What was measured.

    Attributes:
        trainer, server: the sides of a call.
        rules: "NET MODE" -> what a step costs.
        machine: in words.
    """

    trainer: Side
    server: Side
    rules: dict[str, Rule]
    machine: str = ""

    def save(self, path: Path) -> None:
        """Write a JSON file."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> Costs:
        """Read a JSON file."""
        fields = json.loads(path.read_text())
        sides = {name: Side(**fields.pop(name)) for name in ("trainer", "server")}
        rules = {name: Rule(**each) for name, each in fields.pop("rules").items()}
        return cls(**sides, rules=rules, **fields)


@dataclass(frozen=True)
class Net:
    """The messages of a step of a network of `parameter_server/train.py`.

    Attributes:
        batch: examples of a trainer's step.
        parameters: the number of dense parameters.
        dense: bytes of all of them.
        look_ups: how many look-ups of table rows follow each other in a step.
        asked, answered: bytes of all their questions and answers.
        rows: bytes of the table's gradient.
        table: bytes of the table.
    """

    batch: int
    parameters: int
    dense: int
    look_ups: int = 0
    asked: float = 0
    answered: float = 0
    rows: float = 0
    table: int = 0

    def changed(self, steps: int) -> float:
        """Return the bytes of the table's rows that so many steps change."""
        return distinct(SLOTS * self.batch * steps) * (ROW + 8) if self.table else 0.0


def _dense(*widths: int) -> int:
    return 4 * sum(a * b + b for a, b in pairwise(widths))


WORDS, SLOTS, ROW, EXPONENT = 100_000, 10, 16 * 4, 1.2


def distinct(draws: float) -> float:
    """Return how many different ids are expected among so many of `train.py`, which draws them by Zipf's law modulo `WORDS`."""
    whole = 5.591582441  # the sum of n ** -EXPONENT over all n
    chance = np.arange(1, WORDS + 1) ** -EXPONENT / whole
    chance += (1 - chance.sum()) / WORDS
    return float((-np.expm1(draws * np.log1p(-chance))).sum())


def _ctr(batch: int) -> Net:
    asked = SLOTS * distinct(batch)  # each slot asks for its own ids once
    return Net(
        batch, 6, _dense(173, 400, 400, 2), look_ups=SLOTS, asked=asked * 8, answered=asked * ROW,
        rows=distinct(SLOTS * batch) * (ROW + 8), table=WORDS * ROW,
    )  # fmt: skip


NETS = {"mlp": Net(64, 6, _dense(784, 1024, 1024, 10)), "ctr": _ctr(256)}
