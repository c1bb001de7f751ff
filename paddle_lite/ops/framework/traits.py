"""Traits: what an operator's declaration tells Plans and cost estimates besides what it computes.

    @op("softmax", inputs="X", outputs="Out", attrs={...}, flops=PerElement(5))

They are keywords of `op`, `pointwise`, `Grad` and `structural`. All have a default that is right for an operator of which
nothing is known, so a new operator needs none of them; each one that is given lets Plans do more with it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from .costs import Count, Product


@dataclass(frozen=True)
class Traits:
    """What is known of an operator besides what it computes.

    Arguments:
        flops: how many floating-point operations a call takes: a function of the call (see costs.py: `PerElement(5)`,
            `MATMUL`, ...), or 0 for an operator that only moves numbers. None: what its expressions say, else it is not
            known. A gradient operator without one has that of the operator where it is 0, and a product's.
        gathers: the input slot of which a call reads no more bytes than it writes, such as a table that rows are taken of.
    """

    flops: Count | Literal[0] | None = None
    gathers: str | None = None

    def of_gradient(self, own: Traits) -> Traits:
        """Return the traits of the gradient operator, whose declaration gives `own`."""
        if own.flops is not None:
            return own
        if isinstance(self.flops, Product):
            return replace(own, flops=self.flops.of_gradient)
        return replace(own, flops=0) if self.flops == 0 else own

    def __str__(self) -> str:
        """Return those that are given, as declarations write them."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        said = [(name, value) for name, value in given.items() if value is not None and value is not False]
        return ", ".join(name if value is True else f"{name}={_shown(value)}" for name, value in said)


def _shown(value: Any) -> str:
    """Return a function by its name, anything else as it is written."""
    return value.__name__ if hasattr(value, "__name__") else repr(value)
