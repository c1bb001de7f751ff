"""The kernels that update many parameters against the operators' references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.cpu.optim.optimizer_kernels import kernel_of, squares_of, update_of
from paddle_lite.kernels.pool import Pool
from paddle_lite.ops.framework import registry
from paddle_lite.optimizer import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    DecayedAdagrad,
    Ftrl,
    Lamb,
    LarsMomentum,
    Momentum,
    RMSProp,
)
from paddle_lite.optimizer.rule import Rule
from paddle_lite.params.gradients import changed, no_changes

RULES = {
    rule.operator.type: Rule(rule.operator, rule.accumulators)
    for rule in (SGD, Momentum, LarsMomentum, Adam, Adagrad, DecayedAdagrad, Adamax, Adadelta, RMSProp, Ftrl, Lamb)
}
ATTRIBUTES = {"sgd": [{}], "momentum": [{"mu": 0.9, "use_nesterov": False}, {"mu": 0.8, "use_nesterov": True}],
              "lars_momentum": [{"mu": 0.9, "lars_coeff": 0.1, "lars_weight_decay": 0.2}],
              "adam": [{"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "lazy_mode": False}],
              "adagrad": [{"epsilon": 1e-6}],
              "decayed_adagrad": [{"decay": 0.9, "epsilon": 1e-3}],
              "adamax": [{"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-6}],
              "adadelta": [{"rho": 0.9, "epsilon": 1e-3}],
              "rmsprop": [{"epsilon": 1.0, "decay": 0.9, "momentum": 0.5, "centered": c} for c in (False, True)],
              "ftrl": [{"l1": 0.2, "l2": 0.1, "lr_power": p} for p in (-0.5, -0.3)],
              "lamb": [{"weight_decay": 0.1, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-6}]}  # fmt: skip
CALLS = [(type, attrs) for type, each in ATTRIBUTES.items() for attrs in each]
TOLERANCE = {"float32": 2e-6, "float64": 1e-14}
COMPILED_TWICE = ("sgd", "adam")
"""Rules whose kernels are compiled for float64, too; those of the others run as Python for it."""
LOOSE = {"ftrl": 100}  # it divides a difference of roots by the learning rate


def make(rng: np.random.Generator, type: str, size: int, dtype: str) -> list[np.ndarray]:
    """A parameter, its gradient and its accumulators; a few parameters are 0, where an L1 penalty has no slope."""
    param, grad = rng.uniform(-1, 1, (2, size)).astype(dtype)
    param[::7] = 0
    kept = [rng.uniform(0.1, 0.9, 1 if a.one else size).astype(dtype) for a in RULES[type].accumulators]
    return [param, grad, *kept]


def by_reference(type: str, arrays: list[np.ndarray], rate: Any, attrs: dict, change: np.ndarray) -> list[np.ndarray]:
    """What the operator makes of the parameter and of its accumulators."""
    rule = RULES[type]
    param, grad, *kept = arrays
    inputs = rule.inputs(param, changed(np, grad, param, change), np.array([rate]), kept)
    operator = registry.get(type)
    outputs = operator.reference(np, *(inputs.get(s.name) for s in operator.inputs), **attrs)
    new = dict(zip(rule.outputs, outputs if isinstance(outputs, tuple) else (outputs,), strict=True))
    for a, value in zip(rule.accumulators, kept, strict=True):
        factor = 1.0 if a.factor is None else attrs[a.factor]
        new.setdefault(a.slot, value * value.dtype.type(np.float32(factor)))
    return [new["Param"], *(new[a.slot] for a in rule.accumulators)]


def by_kernel(
    kernel: Any, all_arrays: list[list[np.ndarray]], rates: np.ndarray, attrs: dict, changes: np.ndarray
) -> None:
    """Update in place."""
    dtype = rates.dtype
    objects = np.array([[id(a) for a in row] for row in zip(*all_arrays, strict=True)], np.int64)
    sizes = np.array([[a.size for a in row] for row in zip(*all_arrays, strict=True)], np.int64)
    scratch = np.empty(max(sizes[0].max(), 1), dtype)
    numbers = np.array(list(attrs.values()), np.float32).astype(dtype)
    kernel(objects, sizes, rates, numbers, changes.astype(dtype), scratch)


def check(kernel: Any, type: str, attrs: dict, sizes: list[int], dtype: str, seed: int, kinds: list[int]) -> None:
    """Kernel and reference agree on parameters of these sizes with this mixture of changes."""
    rng = np.random.default_rng(seed)
    arrays = [make(rng, type, size, dtype) for size in sizes]
    rates = rng.uniform(0.01, 0.2, len(sizes)).astype(dtype)
    changes = no_changes(len(sizes))
    for kind in kinds:
        value = rng.uniform(0.1, 0.6, len(sizes)).astype(np.float32)
        changes[kind] = -value if kind == 1 else value
    wanted = [by_reference(type, a, r, attrs, c) for a, r, c in zip(arrays, rates, changes.T, strict=True)]
    gradients = [a[1].copy() for a in arrays]
    by_kernel(kernel, arrays, rates, attrs, changes if kinds else np.empty((0, 0)))
    for (param, grad, *kept), want, before in zip(arrays, wanted, gradients, strict=True):
        np.testing.assert_array_equal(grad, before)
        for got, expected in zip([param, *kept], want, strict=True):
            assert got.dtype == expected.dtype
            tolerance = TOLERANCE[dtype] * LOOSE.get(type, 1)
            np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("type", "attrs"), CALLS)
@settings(deadline=None, max_examples=20)
@given(
    sizes=st.lists(st.integers(0, 5000), min_size=1, max_size=60),
    wide=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
    kinds=st.lists(st.sampled_from(range(5)), unique=True),
)
def test_kernels_equal_references(
    type: str, attrs: dict, sizes: list[int], wide: bool, seed: int, kinds: list[int]
) -> None:
    check(update_of(type), type, attrs, sizes, "float64" if wide and type in COMPILED_TWICE else "float32", seed, kinds)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("type", "attrs"), CALLS)
def test_kernels_run_as_python(type: str, attrs: dict, dtype: str) -> None:
    for kinds in ([], [0, 3], [1, 2, 4]):
        check(kernel_of(type).python, type, attrs, [0, 1, 9], dtype, 1, kinds)


@pytest.mark.parametrize(("type", "attrs"), CALLS)
@settings(deadline=None, max_examples=20)
@given(
    sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=20),
    count=st.integers(2, 4),
    kinds=st.lists(st.sampled_from(range(5)), unique=True),
)
def test_several_threads_share_out_the_elements_and_give_the_same(
    type: str, attrs: dict, sizes: list[int], count: int, kinds: list[int]
) -> None:
    rng = np.random.default_rng(count)
    arrays = [make(rng, type, size, "float32") for size in [*sizes, 2]]
    rates = rng.uniform(0.01, 0.2, len(arrays)).astype("float32")
    changes = no_changes(len(arrays))
    changes[kinds] = 0.2
    changes[1] *= -1
    results, parts = [], []
    before = get_flags("FLAGS_paddle_num_threads")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads.os, "sched_getaffinity", lambda pid: set(range(4)), raising=False)
        patch.setattr(threads, "SMALLEST_PART", 1)
        run, call = Pool.run, Pool.call
        patch.setattr(Pool, "run", lambda self, kernel, p: (parts.append(len(p)), run(self, kernel, p)))
        patch.setattr(
            Pool, "call", lambda self, *given, wake: (parts.append(given[3]), call(self, *given, wake=wake))[1]
        )
        for number in (1, count):
            assert not parts
            set_flags({"FLAGS_paddle_num_threads": number})
            mine = [[array.copy() for array in each] for each in arrays]
            by_kernel(update_of(type), mine, rates, attrs, changes if kinds else np.empty((0, 0)))
            results.append([array for each in mine for array in each])
        assert parts
    set_flags(before)
    for one, several in zip(*results, strict=True):
        np.testing.assert_array_equal(one, several)


def test_a_parameter_that_is_infinite_stays_so_without_decay() -> None:
    param, grad = np.array([-np.inf, 1.0], np.float32), np.ones(2, np.float32)
    by_kernel(update_of("sgd"), [[param, grad]], np.full(1, 0.5, np.float32), {}, np.empty((0, 0)))
    assert param.tolist() == [-np.inf, 0.5]


def test_an_operator_without_a_loop_has_no_kernel() -> None:
    assert update_of("relu") is None


@settings(deadline=None, max_examples=15)
@given(sizes=st.lists(st.integers(0, 20000), min_size=1, max_size=20), dtype=st.sampled_from(["float32", "float64"]))
def test_sums_of_squares(sizes: list[int], dtype: str) -> None:
    rng = np.random.default_rng(len(sizes))
    arrays = [rng.uniform(-1, 1, size).astype(dtype) for size in sizes]
    out = np.empty(len(arrays))
    objects = np.array([id(a) for a in arrays], np.int64)
    squares_of(objects, np.array(sizes, np.int64), out, np.empty(0, dtype))
    wanted = [np.sum(a.astype(np.float64) ** 2) for a in arrays]
    np.testing.assert_allclose(out, wanted, rtol=2e-6 if dtype == "float32" else 1e-13)


def test_sums_of_squares_by_several_threads_are_the_same(monkeypatch: Any) -> None:
    arrays = [np.random.default_rng(k).uniform(-1, 1, 3000 * k).astype(np.float32) for k in range(1, 6)]
    objects, sizes = np.array([[id(a), a.size] for a in arrays], np.int64).T.copy()
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda pid: set(range(4)), raising=False)
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    before, sums = get_flags("FLAGS_paddle_num_threads"), np.empty((2, 5))
    for count, out in zip((1, 3), sums, strict=True):
        set_flags({"FLAGS_paddle_num_threads": count})
        squares_of(objects, sizes, out, np.empty(0, np.float32))
    monkeypatch.undo()
    set_flags(before)
    np.testing.assert_array_equal(*sums)
