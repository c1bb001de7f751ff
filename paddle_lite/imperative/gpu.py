"""Imperative mode on a GPU: compiled calls with the kernels and arrays of the device."""

from __future__ import annotations

from typing import Any

from ..ops.framework.compile_call import compile_eager
from ..ops.framework.spec import OpDef
from .mode import RUNTIME, ImperativeMode, compiled


class GpuMode(ImperativeMode):
    """Imperative mode on the GPU of the current place."""

    sees_calls = True

    @property
    def redirect(self) -> Any:
        """The call that uses the kernels of the device."""
        return self.call

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator on the GPU and return its results; compile the call at its first use."""
        if op.gpu_call is None:
            compiled(op)  # op.call then binds arguments faster than FirstCall and redirects to this method
            op.gpu_call = compile_eager(op, "gpu", RUNTIME)
        return op.gpu_call(*inputs, **attrs)
