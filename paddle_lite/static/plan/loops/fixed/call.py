"""Loops whose values keep their shapes as one kernel, with no Python between the rounds, and their gradients as another one.

The kernels are made for the shapes and dtypes of the values before the loop. Loops that they cannot run, and runs with other values,
go round by round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.errors import EnforceNotMet
from .....ops.support.meta import Meta
from ...ir import Value
from ..forms import KINDS, fits
from ..limits import CHARACTERS, MOST_KERNELS, Unfit
from .form import FixedForm, UnfitSizes, given_names, lists_of, lists_set_first, operators_of
from .kernels import FixedKernels
from .list_values import element_meta
from .runs import FixedTrace, Prepared, Run

if TYPE_CHECKING:
    from ..loop import Loop

AFTER = 8
"""The runs with other shapes than those of the first kernels, after which these get kernels of their own."""
MOST_REFUSED = 8
"""The runs that have to go round by round, after which all of the same shapes do so."""
TRIED = 3
"""The size that is tried for dimensions that the Program does not know."""

Metas = tuple[Meta | None, ...]
"""The shapes and dtypes of what a loop is given, of arrays of tensors those of the elements; None where rounds set these."""


def kernels_for(loop: Loop, metas: Metas) -> FixedKernels | Unfit:
    """Return the kernels of a loop for values of these shapes and dtypes; why there are none."""
    known: dict[Metas, FixedKernels | Unfit] = loop.fixed
    if metas not in known:
        if len(known) >= MOST_KERNELS:
            return UnfitSizes("it has run with many shapes")
        try:
            known[metas] = FixedKernels(FixedForm(loop, dict(zip(given_names(loop), metas, strict=True))))
        except Unfit as reason:
            known[metas] = reason.with_traceback(None)
        except EnforceNotMet as error:
            known[metas] = UnfitSizes(str(error))
    return known[metas]


def unfit_if_fixed(loop: Loop) -> str:
    """Return why a loop cannot be kernels for fixed shapes; "" if it may be, for shapes that the Program does not know."""
    try:
        operators_of(loop)
    except Unfit as reason:
        return str(reason)
    inputs, lists = dict(zip(loop.names, loop.built.inputs, strict=False)), lists_of(loop)
    values = [inputs[name] for name in given_names(loop) if name not in lists]
    lacking = next((v for v in values if v.dtype is None or v.dtype.kind not in KINDS), None)
    if lacking is not None:
        return f"{lacking.name} holds no numbers"
    block, first = loop.op.attrs["sub_block"], lists_set_first(loop)
    metas = [
        None if name in first else block.variable(name).meta if name in lists else _meta(inputs[name])
        for name in given_names(loop)
    ]
    known = all(n >= 0 for meta in metas if meta is not None for n in meta.shape)
    tried = [meta and Meta(tuple(TRIED if n < 0 else n for n in meta.shape), meta.dtype) for meta in metas]
    found = kernels_for(loop, tuple(tried))
    return str(found) if isinstance(found, Unfit) and (known or not isinstance(found, UnfitSizes)) else ""


def _meta(value: Value) -> Meta:
    """Return the shape and dtype of a value of numbers."""
    assert value.dtype is not None
    return Meta(value.shape, value.dtype)


class FixedCall:
    """The call of a loop as one kernel, or round by round: it takes and returns what the Loop does.

    Arguments:
        loop: the compiled loop.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.characters = CHARACTERS * len(loop.built.instructions)
        self.names = given_names(loop)
        self.places = [loop.names.index(name) for name in self.names]
        self.condition = self.names.index(loop.condition)
        self.lists = {self.names.index(name) for name in lists_of(loop)}
        self._known: dict[Metas, Prepared | None] = {}
        self._runs: Counter[Metas] = Counter()

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        loop, given = self.loop, [values[place] for place in self.places]
        metas = None if any(lod is not None for lod in lods) else self._metas(given)
        prepared = None if metas is None else self._prepared(metas)
        if prepared is None or not given[self.condition].item():
            return loop(values, lods)
        run = Run(prepared, dict(zip(self.names, given, strict=True)), loop.longest[0])
        done = run.all()
        if done is None:
            by_rounds = loop(values, lods)
            prepared.refused += 1
            if prepared.refused == MOST_REFUSED and metas is not None:
                self._known[metas] = None
            return by_rounds
        rounds, part = done
        loop.longest[0] = max(loop.longest[0], rounds)
        results = [run.result(name, part) for name in loop.results]
        trace = None if prepared.backward is None else FixedTrace(loop, prepared, run, rounds)
        return results, [None] * len(loop.ragged_results()), trace

    def _metas(self, values: Sequence[Any]) -> Metas | None:
        """Return the shapes and dtypes of values; None if these go round by round."""
        found: list[Meta | None] = []
        for i, value in enumerate(values):
            if i in self.lists:
                try:
                    found.append(element_meta(value))
                except Unfit:
                    return None
            elif type(value) is np.ndarray and fits(value.dtype):
                found.append(Meta(value.shape, value.dtype))
            else:
                return None
        return tuple(found)

    def _prepared(self, metas: Metas) -> Prepared | None:
        """Return the kernels for values of these shapes and dtypes; None if they go round by round."""
        if metas not in self._known:
            self._runs[metas] += 1
            if (self._known and self._runs[metas] <= AFTER) or len(self._known) >= MOST_KERNELS:
                return None
            self._runs.clear()
            kernels = kernels_for(self.loop, metas)
            self._known[metas] = None if isinstance(kernels, Unfit) else Prepared(kernels)
        return self._known[metas]
