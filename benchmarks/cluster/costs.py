"""What steps and messages cost: the numbers that a simulation rests on, as `simulate_cluster --measure` finds and stores them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..compare import Failure

SMALLEST = 8192  # elements of a block of a parameter
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

    def times(self, factor: float) -> Side:
        """Return a side whose calls take so many times as long."""
        return Side(factor * self.call, factor * self.sent, factor * self.received)


@dataclass(frozen=True)
class Rule:
    """Processor time of a way to train.

    Attributes:
        step: seconds that a trainer or worker computes in a step, as one process alone does.
        push: seconds of a worker of a ring in a step, to bring its gradients to MPI and to wait for the others.
        trainer, server: what a trainer and all servers take for the messages of a job, times what the same calls take by themselves: with the
            changes and rows that are sent, sums and updates.
        alone: the same of the servers of one trainer, which add nothing up, and write their parameters for one trainer only.
    """

    step: float
    push: float = 0.0
    trainer: float = 1.0
    server: float = 1.0
    alone: float = 1.0


@dataclass(frozen=True)
class Costs:
    """What was measured.

    Attributes:
        trainer, server: the sides of a call.
        overlap: the part of a large message's work on one side during which the other side works on it, too.
        byte: processor seconds of a worker of a ring for a byte that goes to its neighbour.
        rules: "NET MODE" -> what a step costs.
        machine: in words.
    """

    trainer: Side
    server: Side
    overlap: float
    byte: float
    rules: dict[str, Rule]
    machine: str = ""

    def rule(self, net: str, mode: str) -> Rule:
        """Return what a way to train costs.

        Raises:
            Failure: it was not measured.
        """
        found = self.rules.get(f"{net} {mode}")
        if found is None:
            known = ", ".join(self.rules) or "none"
            fix = f"Measure it: simulate_cluster --measure FILE --nets {net} --modes {mode}."
            raise Failure(f"these costs have no {net} {mode}, but {known}. {fix}")
        return found

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


class Layer(NamedTuple):
    """The gradients that a part of a step makes.

    Attributes:
        work: the part of the step's computing that ends with them.
        parameters: the elements of each dense parameter.
        rows: bytes of the table's gradient.
    """

    work: float
    parameters: tuple[int, ...]
    rows: float = 0

    @property
    def size(self) -> float:
        """The bytes of the gradients."""
        return 4 * sum(self.parameters) + self.rows


@dataclass(frozen=True)
class Net:
    """The messages of a step of a network of `parameter_server/train.py`.

    Attributes:
        batch: examples of a trainer's step.
        parameters: the elements of each dense parameter.
        asked, answered: bytes of the question for rows of the table and of the answer.
        rows: bytes of the table's gradient.
        table: bytes of the table.
    """

    batch: int
    parameters: tuple[int, ...]
    asked: float = 0
    answered: float = 0
    rows: float = 0
    table: int = 0

    @property
    def dense(self) -> int:
        """The bytes of all dense parameters."""
        return 4 * sum(self.parameters)

    def blocks(self, servers: int, least: int = 0) -> float:
        """Return how many blocks of dense parameters a server has on average, of those that have at least so many bytes."""
        return blocks(self.parameters, servers, least)

    def layers(self) -> list[Layer]:
        """Return the layers in the order in which a step makes their gradients.

        A product with a weight is as much computing forward as for its own gradient, and as for that of its input, which the first layer
        makes for the table only.
        """
        pairs = list(zip(self.parameters[::2], self.parameters[1::2], strict=True))
        work = [(1 if not number and not self.table else 2) * weight for number, (weight, _) in enumerate(pairs)]
        forward = sum(weight for weight, _ in pairs)
        whole = forward + sum(work)
        found = [Layer(part / whole, pair) for part, pair in zip(work, pairs, strict=True)][::-1]
        found[0] = found[0]._replace(work=found[0].work + forward / whole)
        return [*found, Layer(0.0, (), self.rows)] if self.table else found

    def changed(self, steps: int) -> float:
        """Return the bytes of the table's rows that so many steps change."""
        return distinct(SLOTS * self.batch * steps) * (ROW + 8) if self.table else 0.0


def blocks(parameters: Iterable[int], servers: int, least: int = 0) -> float:
    """Return how many blocks of parameters a server has on average, of those that have at least so many bytes.

    Arguments:
        parameters: the elements of each.
        servers: how many there are.
        least: bytes of a block.
    """
    counts = [(size, max(min(servers, size // SMALLEST), 1)) for size in parameters]
    return sum(count for size, count in counts if 4 * size / count >= least) / servers


def _dense(*widths: int) -> tuple[int, ...]:
    return tuple(size for a, b in pairwise(widths) for size in (a * b, b))


WORDS, SLOTS, ROW, EXPONENT = 100_000, 10, 16 * 4, 1.2


def distinct(draws: float) -> float:
    """Return how many different ids are expected among so many of `train.py`, which draws them by Zipf's law modulo `WORDS`."""
    whole = 5.591582441  # the sum of n ** -EXPONENT over all n
    chance = np.arange(1, WORDS + 1) ** -EXPONENT / whole
    chance += (1 - chance.sum()) / WORDS
    return float((-np.expm1(draws * np.log1p(-chance))).sum())


def _ctr(batch: int) -> Net:
    asked = distinct(SLOTS * batch)  # all slots together ask for each id once
    return Net(
        batch,
        _dense(173, 400, 400, 2),
        asked=asked * 8,
        answered=asked * ROW,
        rows=SLOTS * batch * (ROW + 8),  # an id that occurs twice is sent twice
        table=WORDS * ROW,
    )


NETS = {"mlp": Net(64, _dense(784, 1024, 1024, 10)), "ctr": _ctr(256)}
