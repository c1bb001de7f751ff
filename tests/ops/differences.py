"""Gradients against central differences in float64, along random directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from paddle_lite.core.errors import GraphError
from paddle_lite.imperative.gradients import grad
from paddle_lite.imperative.variable import Variable
from paddle_lite.ops.framework.spec import OpDef
from tests.ops.case import Case, device, flat
from tests.ops.checks import each, equal
from tests.ops.row import Row

STEP = 1e-5
RTOL = 1e-6  # of the derivative; a gradient that is wrong by 0.1 % is found along every direction that feels it
NOISE = 1e-9  # of the sum of the magnitudes that make up the derivative
DIRECTIONS = 3


def agree(
    what: str,
    function: Callable[[dict], dict],
    at: Mapping[str, np.ndarray],
    seeds: Mapping[str, np.ndarray],
    gradients: Mapping[str, Any],
) -> None:
    """Raise unless `gradients` are those of sum(seeds * function(arrays)) at `at`.

    Arguments:
        function: maps arrays by name to arrays by name.
        gradients: by the names of `at`; one that is absent is zero.
    """
    for name in at:
        got = gradients.get(name)
        if got is not None and (got.shape != at[name].shape or got.dtype != at[name].dtype):
            raise AssertionError(
                f"{what}: gradient of {name} is {got.dtype} {list(got.shape)}, needs {at[name].dtype} {list(at[name].shape)}"
            )
    rng = np.random.RandomState(11)
    for along in [[n] for n in at] + ([list(at)] if len(at) > 1 else []):
        for _ in range(DIRECTIONS):
            direction = {n: rng.uniform(-1, 1, at[n].shape) for n in along}
            ahead, behind = (
                function({n: a + h * direction[n] if n in direction else a for n, a in at.items()})
                for h in (STEP, -STEP)
            )
            terms = [seeds[n] * (ahead[n] - behind[n]) / (2 * STEP) for n in seeds]
            numeric = sum(float(t.sum()) for t in terms)
            parts = [gradients[n] * direction[n] for n in along if n in gradients]
            analytic = sum(float(p.sum()) for p in parts)
            size = sum(float(np.abs(p).sum()) for p in [*terms, *parts])
            values = sum(float(np.abs(seeds[n] * ahead[n]).sum()) for n in seeds)
            if (
                not abs(numeric - analytic)
                <= RTOL * max(abs(numeric), abs(analytic)) + NOISE * size + 1e-15 / STEP * values
            ):
                raise AssertionError(
                    f"{what}: along a direction of {', '.join(along)} the gradient says {analytic!r}, differences say {numeric!r}"
                )


def gradients_equal_differences(op: OpDef, row: Row) -> None:
    """The declared gradient is the derivative of the reference; or not, where the row says why."""
    if op.grad is None:
        return
    with device("cpu"):
        try:
            each(op, row, _gradient, wide=True)
        except AssertionError:
            if not row.no_derivative:
                raise
            return
    if row.no_derivative:
        raise AssertionError(f"{op.type}: no_derivative is not needed, the gradient is the derivative")


def _gradient(case: Case) -> None:
    wanted, seeds = case.wanted(), _precise(case)
    if wanted and seeds:
        at = {n: a for n, a in case.named_inputs().items() if n in wanted}
        agree("gradient", lambda arrays: case.at(arrays).reference(), at, seeds, case.differentiate(seeds, wanted))


def _precise(case: Case) -> dict[str, np.ndarray]:
    """Output gradients for the outputs whose differences mean something: repeatable, finite and in float64."""
    outputs = case.reference() if case.repeatable else {}
    finite = {n: a for n, a in outputs.items() if a.dtype == np.float64 and np.isfinite(a).all()}
    return case.seeds(finite)


def gradients_come_alone(op: OpDef, row: Row) -> None:
    """The gradient of one input is the same whether or not those of the others are wanted too."""
    if op.grad is not None:
        with device("cpu"):
            each(op, row, _come_alone)


def _come_alone(case: Case) -> None:
    wanted = case.wanted()
    if len(wanted) < 2 or not case.repeatable:
        return
    seeds = case.seeds(case.reference())
    together = case.differentiate(seeds, wanted)
    for name in wanted:
        alone = case.differentiate(seeds, [name])
        equal(f"gradient of {name} alone", alone, {n: g for n, g in together.items() if n == name})


def double_gradients_equal_differences(op: OpDef, row: Row) -> None:
    """The gradient of the gradient, where the row says that there is one; where none is declared, asking for it raises."""
    if op.grad is None:
        if row.double:
            raise AssertionError(f"{op.type}: the row says double=True, no gradient is declared")
        return
    with device("cpu"):
        each(op, row, _double if row.double else _absent_raises, wide=row.double)


def _double(case: Case) -> None:
    wanted, seeds = case.wanted(), _precise(case)
    if not wanted or not seeds:
        return
    variables = case.variables(wanted)
    leaves = {n: v for n, v in flat(case.op.inputs, variables).items() if n in wanted}
    arriving = {n: Variable(s, stop_gradient=False) for n, s in seeds.items()}
    outputs = case.call(variables)
    first = grad(
        [outputs[n] for n in seeds],
        list(leaves.values()),
        list(arriving.values()),
        create_graph=True,
        allow_unused=True,
    )
    roots = {n: g for n, g in zip(leaves, first, strict=True) if g is not None and not g.stopped}
    rng = np.random.RandomState(13)
    weights = {n: rng.uniform(-1, 1, g.array.shape) for n, g in roots.items()}
    into = {**leaves, **{f"{n}@GRAD": v for n, v in arriving.items()}}
    second = grad(list(roots.values()), list(into.values()), [Variable(w) for w in weights.values()], allow_unused=True)
    found = {n: g.array for n, g in zip(into, second, strict=True) if g is not None}

    def gradients(arrays: dict) -> dict:
        return case.at(arrays).differentiate({n: arrays[f"{n}@GRAD"] for n in seeds}, wanted)

    agree("double gradient", gradients, {n: v.array for n, v in into.items()}, weights, found)


def _absent_raises(case: Case) -> None:
    wanted, seeds = case.wanted(), case.seeds(case.reference())
    if not wanted or not seeds:
        return
    variables = case.variables(wanted)
    leaves, outputs = flat(case.op.inputs, variables), case.call(variables)
    try:
        grad([outputs[n] for n in seeds], [leaves[n] for n in wanted], create_graph=True, allow_unused=True)
    except GraphError as error:
        if case.op.type not in str(error):
            raise AssertionError(f"the error does not name the operator: {error}") from error
    else:
        raise AssertionError("it can be differentiated twice: the row must say double=True")
