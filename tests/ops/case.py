"""One sample of an operator, ready to run: by its reference, by its kernel, or as an imperative call with gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from paddle_lite.core.lod import from_offsets
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace, CUDAPlace
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative.gpu import GpuMode
from paddle_lite.imperative.gradients import grad
from paddle_lite.imperative.mode import ImperativeMode
from paddle_lite.imperative.variable import Variable
from paddle_lite.kernels import registry as kernels
from paddle_lite.ops.framework.dispatch import ArraySpec, kernel_of
from paddle_lite.ops.framework.spec import OpDef, Slot, file_name, single
from tests.ops import stand_in
from tests.ops.row import Row, Sample, Sparse

_SEEDS = np.random.RandomState()
"""Draws the gradients of results; begun anew for each call: a new RandomState first asks the system for a seed, which takes eighty times as long."""

FLOAT32, FLOAT64 = 5, 6  # Paddle's codes, for attributes that name a dtype


@contextmanager
def device(kind: str) -> Iterator[None]:
    """Imperative mode on the CPU, with its kernels; or on a stand-in for a GPU, where every reference runs."""
    if kind == "cpu":
        with switched(ImperativeMode(), CPUPlace(), np):
            yield
        return
    kernels.use_gpu_module(stand_in.module)
    try:
        with switched(GpuMode(), CUDAPlace(0), stand_in.module):
            yield
    finally:
        kernels.use_gpu_module(None)
        stand_in.forget()


def flat(slots: tuple[Slot, ...], values: Any) -> dict[str, Any]:
    """Values by slot name; the elements of a list slot are `Slot.0`, `Slot.1`, ...; what is absent is left out."""
    named: dict[str, Any] = {}
    for slot, value in zip(slots, values, strict=True):
        if isinstance(value, (list, tuple)):
            named.update({f"{slot.name}.{i}": v for i, v in enumerate(value) if v is not None})
        elif value is not None:
            named[slot.name] = value
    return named


def slot_of(name: str) -> str:
    """The slot of a flat name."""
    return name.split(".")[0]


class Case:
    """A sample with its operator.

    wide: every float32 input in float64, and attributes that name float32 name float64.
    """

    def __init__(self, op: OpDef, row: Row, index: int, *, wide: bool = False) -> None:
        self.op, self.row, self.index, self.wide = op, row, index, wide
        self.sample: Sample = row.samples[index]
        unknown = sorted((set(self.sample.inputs) | set(self.sample.lods)) - {s.name for s in op.inputs})
        unknown += sorted(set(self.sample.attrs) - set(op.attrs))
        if unknown:
            raise AssertionError(f"{self}: neither an input nor an attribute: {', '.join(unknown)}")
        self.inputs = [self._widened(self.sample.inputs.get(s.name), wide) for s in op.inputs]
        given = {**{k: a.default for k, a in op.attrs.items()}, **self.sample.attrs}
        self.attrs = {name: given[file_name(name)] for name in op.live}
        self.attrs.update({name: single(self.attrs[name]) for name in op.singles})
        if wide:
            for name, value in self.attrs.items():
                if name.endswith("dtype") and value == FLOAT32:
                    self.attrs[name] = FLOAT64

    def __str__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in self.sample.attrs.items())
        return f"{self.op.type} sample {self.index} ({self.sample.note or shown or 'no attributes'})"

    @staticmethod
    def _widened(value: Any, wide: bool) -> Any:
        if isinstance(value, (list, tuple)):
            return [Case._widened(v, wide) for v in value]
        if isinstance(value, Sparse):
            return SelectedRows(value.rows, Case._widened(value.values, wide), value.height)
        if value is None or not wide or value.dtype != np.float32:
            return value
        return value.astype(np.float64)

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def repeatable(self) -> bool:
        """Whether two runs give the same numbers."""
        return not self.row.random or bool(self.sample.attrs.get("seed"))

    def lods(self) -> list:
        """The LoD of each input slot; a list of them for a list slot."""
        found = []
        for slot, value in zip(self.op.inputs, self.inputs, strict=True):
            levels = self.sample.lods.get(slot.name)
            if isinstance(value, list):
                each = levels if levels and levels[0] and isinstance(levels[0][0], (list, tuple)) else None
                found.append([from_offsets(lod) for lod in each] if each else [from_offsets(levels or [])] * len(value))
            else:
                found.append(from_offsets(levels or []))
        return found

    def named_inputs(self) -> dict[str, np.ndarray]:
        """Every input array by flat name; a sparse one as `Slot.rows` and `Slot.values`."""
        named: dict[str, np.ndarray] = {}
        for name, value in flat(self.op.inputs, self.inputs).items():
            sparse = isinstance(value, SelectedRows)
            named.update({f"{name}.rows": value.rows, f"{name}.values": value.values} if sparse else {name: value})
        return named

    def wanted(self) -> list[str]:
        """The flat names of the inputs whose gradients are checked."""
        targets = () if self.op.grad is None else self.op.grad.targets
        allowed = targets if self.sample.grads is None else self.sample.grads
        return [
            n
            for n, a in flat(self.op.inputs, self.inputs).items()
            if isinstance(a, np.ndarray) and a.dtype.kind == "f" and slot_of(n) in targets and slot_of(n) in allowed
        ]

    def seeds(self, outputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """A random gradient for each output (by flat name) that the operator differentiates."""
        incoming = () if self.op.grad is None else self.op.grad.incoming
        _SEEDS.seed(7)
        return {
            name: _SEEDS.uniform(-1, 1, a.shape).astype(a.dtype)
            for name, a in outputs.items()
            if slot_of(name) in incoming and a.dtype.kind == "f"
        }

    # --- running it -----------------------------------------------------------------------------------------------

    def with_inputs(self, change: Callable[[str, np.ndarray], np.ndarray]) -> Case:
        """The same case with `change(name, array)` in place of each array of `named_inputs`."""

        def changed(name: str, value: Any) -> Any:
            if isinstance(value, list):
                return [changed(f"{name}.{i}", v) for i, v in enumerate(value)]
            if isinstance(value, SelectedRows):
                rows, values = change(f"{name}.rows", value.rows), change(f"{name}.values", value.values)
                return SelectedRows(rows, values, value.height)
            return None if value is None else change(name, value)

        other = object.__new__(Case)
        other.__dict__.update(self.__dict__)
        other.inputs = [changed(s.name, v) for s, v in zip(self.op.inputs, self.inputs, strict=True)]
        return other

    def at(self, arrays: Mapping[str, np.ndarray]) -> Case:
        """The same case with other values for some inputs, by flat name."""
        return self.with_inputs(lambda name, array: arrays.get(name, array))

    def keywords(self) -> dict[str, Any]:
        """What a kernel gets by keyword."""
        if not self.op.needs_lod:
            return self.attrs
        lods = dict(zip([s.name for s in self.op.inputs], self.lods(), strict=True))
        needed = tuple(lods[name] for name in self.op.needs_lod.split())
        return {**self.attrs, "lod": needed[0] if len(needed) == 1 else needed}

    def reference(self) -> dict[str, Any]:
        """The outputs of the reference, by flat name."""
        return self._outputs(self.op.reference(np, *self.inputs, **self.keywords()))

    def kernel(self) -> dict[str, Any]:
        """The outputs of the CPU's kernel, by flat name."""
        return self._outputs(kernel_of(self.op, "cpu")(*self.inputs, **self.keywords()))

    def _outputs(self, result: Any) -> dict[str, Any]:
        slots = self.op.outputs
        result = result[0] if self.op.lod == "made" else result
        several = len(slots) != 1 or slots[0].many
        values = result if len(slots) != 1 or (several and isinstance(result, tuple)) else (result,)
        if not isinstance(values, tuple) or len(values) != len(slots):
            got = f"{len(values)} values" if isinstance(values, tuple) else type(values).__name__
            raise AssertionError(f"{self}: returned {got}, needs a tuple of {len(slots)}")
        return flat(slots, values)

    def gradient_kernels(
        self, outputs: Mapping[str, Any], seeds: Mapping[str, Any], device: str = "cpu"
    ) -> tuple[dict, dict] | None:
        """The gradients by the gradient operator's reference and by its kernel; None if it has no operator of its own."""
        if self.op.grad is None or self.op.grad.op is None or not seeds:
            return None
        op = self.op.grad.op
        reference = self.gradients(outputs, seeds, lambda *a, **k: op.reference(np, *a, **k), np)
        return reference, self.gradients(outputs, seeds, kernel_of(op, device), np)

    def gradients(self, outputs: Mapping[str, Any], seeds: Mapping[str, Any], kernel: Callable, xp: Any) -> dict:
        """The gradients that a kernel of the gradient operator computes, of arrays of the module `xp`."""
        assert self.op.grad is not None and self.op.grad.op is not None
        op = self.op.grad.op
        known = {**{s.name: v for s, v in zip(self.op.inputs, self.inputs, strict=True)}}
        for slot in self.op.outputs:
            many = [outputs[n] for n in outputs if slot_of(n) == slot.name]
            known[slot.name] = many if slot.many else outputs.get(slot.name)
            arriving = [seeds.get(n, xp.zeros_like(outputs[n])) for n in outputs if slot_of(n) == slot.name]
            known[slot.name + "@GRAD"] = arriving if slot.many else arriving[0] if arriving else None
        arguments = [self._like(known[r]) if r in self.op.grad.shape_only else known[r] for r in self.op.grad.reads]
        keywords = {k: v for k, v in self.attrs.items() if k in op.live}
        if op.needs_lod:
            keywords["lod"] = self.keywords()["lod"]
        slots = tuple(Slot(t, many=any(s.many for s in self.op.inputs if s.name == t)) for t in self.op.grad.targets)
        result = kernel(*arguments, **keywords)
        return flat(slots, result if len(slots) > 1 else (result,))

    @staticmethod
    def _like(value: Any) -> Any:
        return None if value is None else [ArraySpec(v) for v in value] if isinstance(value, list) else ArraySpec(value)

    def variables(self, wanted: list[str]) -> list:
        """A Variable for each input; those of `wanted` ask for a gradient."""

        def variable(name: str, array: np.ndarray, lod: Any) -> Variable:
            return Variable(array, lod=lod, stop_gradient=name not in wanted)

        made: list[Any] = []
        for slot, value, lod in zip(self.op.inputs, self.inputs, self.lods(), strict=True):
            if isinstance(value, list):
                made.append(
                    [variable(f"{slot.name}.{i}", a, o) for i, (a, o) in enumerate(zip(value, lod, strict=True))]
                )
            else:
                made.append(None if value is None else variable(slot.name, value, lod))
        return made

    def call(self, variables: list) -> dict[str, Variable]:
        """The imperative call on the current device: the outputs by flat name."""
        result = self.op.call(*variables, **self.attrs)
        return flat(self.op.outputs, result if len(self.op.outputs) != 1 else (result,))

    def differentiate(self, seeds: Mapping[str, np.ndarray], wanted: list[str]) -> dict[str, Any]:
        """The gradients of the inputs `wanted` by an imperative call, where the outputs' are `seeds`; dense."""
        variables = self.variables(wanted)
        outputs = self.call(variables)
        roots = [n for n in seeds if not outputs[n].stopped]
        leaves = flat(self.op.inputs, variables)
        if not roots:
            return {}
        found = grad(
            [outputs[n] for n in roots],
            [leaves[n] for n in wanted],
            [Variable(seeds[n]) for n in roots],
            allow_unused=True,
        )
        return {n: dense(g.array) for n, g in zip(wanted, found, strict=True) if g is not None}


def dense(gradient: Any) -> Any:
    """A sparse gradient as a full array."""
    return gradient.to_dense(np) if isinstance(gradient, SelectedRows) else gradient
