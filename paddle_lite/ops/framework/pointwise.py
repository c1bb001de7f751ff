"""Declarations of pointwise operators by scalar expressions for an element and for its gradient.

    relu = pointwise("relu", "x if x > 0 else 0 * x", grad="dout if out > 0 else 0 * dout", doc="Out = max(X, 0).")

The names in expressions: `x` the input, `out` the output, `dout` the output's gradient, and the attributes. Whether the
gradient reads X or Out follows from its expression. The gradient of the gradient is derived symbolically.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ...core.errors import DtypeError, message
from ...core.threads.cached import cached_property
from ...kernels.codegen import Pointwise, derive
from ...kernels.codegen.expression import names, parse
from ...kernels.registry import elementwise_kernel
from ..support.meta import Meta
from .elements import of_text
from .fusion import Rule, elementwise
from .origin import calling
from .registry import register
from .spec import CUDNN, MKLDNN, Grad, OpDef, family_of, file_name, parse_slots
from .traits import Traits

COMMON = {**MKLDNN, **CUDNN}


class ExpressionKernels:
    """The reference and the kernels of one expression, made when they are first used.

    Arguments:
        name: an identifier, for generated code and errors.
        outputs: the expression of each output, or a function that derives them when they are first used.
        arrays: the names of the arrays.
        scalars: the names of the attributes.
        cut: whether results for integers are truncated towards zero.
    """

    def __init__(
        self,
        name: str,
        outputs: dict[str, str] | Callable[[], dict[str, str]],
        arrays: tuple[str, ...],
        scalars: tuple[str, ...],
        cut: bool = False,
    ) -> None:
        self.name, self.arrays, self.scalars = name, arrays, scalars
        self.derived = outputs
        self.cut = _cut if cut else lambda function: function

    @cached_property
    def outputs(self) -> dict[str, str]:
        """The expression of each output."""
        return self.derived() if callable(self.derived) else self.derived

    @cached_property
    def pointwise(self) -> Pointwise:
        return Pointwise(self.name, self.outputs, self.arrays, self.scalars)

    def rule(self, slots: Iterable[str]) -> Rule:
        """Return how the operator that makes the outputs in these slots takes part in fused kernels."""
        slots = list(slots)
        return elementwise(lambda: dict(zip(slots, self.outputs.values(), strict=True)), self.arrays, self.scalars)

    @property
    def reference(self) -> Callable:
        """The function `f(xp, *arrays, **scalars)` of a declaration, which reads the names of scalars from `keyword_only`."""

        def reference(xp: Any, *arrays: Any, **scalars: Any) -> Any:
            return self.cut(partial(self.pointwise.numpy, xp))(*arrays, **scalars)

        reference.keyword_only = self.scalars  # type: ignore[attr-defined]
        return reference

    def make_kernel(self, device: str) -> Callable | None:
        if device == "cpu":
            return self.cut(self.pointwise.cpu)
        kernel = elementwise_kernel(self.pointwise.cuda_spec())
        return kernel and self.cut(kernel)


def _cut(function: Callable) -> Callable:
    """Return the function with results in the dtype of its array, truncated towards zero for integers."""

    def kernel(x: Any, **scalars: Any) -> Any:
        out = function(x, **scalars)
        return out if out.dtype == x.dtype else out.astype(x.dtype)

    return kernel


def pointwise(
    type: str,
    out: str,
    *,
    grad: str | None = None,
    attrs: Mapping[str, Any] | None = None,
    common: Mapping[str, Any] = COMMON,
    integers: bool = False,
    cut: bool = False,
    via: Grad | None = None,
    doc: str = "",
    **traits: Any,
) -> OpDef:
    """Declare an operator X -> Out that computes each element of Out from the same element of X.

    Arguments:
        type: the type of the operator, as in a ProgramDesc.
        out: the expression of an element.
        grad: the expression of its gradient, in `x` or `out`, and `dout`.
        attrs: the attributes that the expressions read, with defaults.
        common: attributes that have no effect here.
        integers: whether integer arrays are accepted, too.
        cut: whether the results for integers are truncated towards zero.
        via: a gradient that is not an expression.
        doc: what it computes, e.g. "Out = max(X, 0).".
        traits: see Traits. By default the operator is an activation and speculatable.

    Returns:
        The operator.
    """
    origin = calling(type)
    attrs = dict(attrs or {})
    scalars = tuple(attrs)
    forms = ExpressionKernels(type, {"out": out}, ("x",), scalars, cut)

    def infer(X: Meta, **_: Any) -> Meta:
        if X.dtype.kind != "f" and not (integers and X.dtype.kind in "iu"):
            needs = "float32 or float64" + (", or integers" if integers else "")
            raise DtypeError(
                message(type, "Input(X)", f"dtype {X.dtype}", needs, "Convert it first: x.astype('float32').")
            )
        return X

    rule = via if grad is None else _gradient(type, grad, scalars)
    return register(
        OpDef(
            type,
            parse_slots("X"),
            parse_slots("Out"),
            {**{file_name(a): v for a, v in attrs.items()}, **common},
            family=family_of(origin.module),
            reference=forms.reference,
            infer=infer,
            grad=rule,
            make_kernel=forms.make_kernel,
            traits=Traits(
                fuses=forms.rule(["Out"]),
                element=of_text(out, "f", forms.arrays, scalars),
                **{"activation": True, "speculatable": True, **traits},
            ),
            any_shape=True,
            origin=origin,
            doc=doc,
        )
    )


def forms_of(op: OpDef) -> ExpressionKernels | None:
    """Return the expressions of an operator, or gradient operator, that `pointwise` declared; None for others."""
    maker = getattr(op.make_kernel, "__self__", None)
    return maker if isinstance(maker, ExpressionKernels) else None


def _gradient(type: str, grad: str, scalars: tuple[str, ...]) -> Grad:
    named = names(parse(grad, ("x", "out", "dout", *scalars), f"operator {type}: its gradient"))
    saved = next((name for name in ("out", "x") if name in named), None)
    slot = {"out": "Out", "x": "X", None: ""}[saved]
    arrays = (saved, "dout") if saved else ("dout",)
    forms = ExpressionKernels(f"{type}_grad", {"dx": grad}, arrays, scalars)
    twice = _double(type, grad, saved, slot, scalars)
    reads = f"{slot} Out@GRAD".strip()
    rule = forms.rule(["X@GRAD"])
    return Grad(reads, "X@GRAD", forms.reference, grad=twice, make_kernel=forms.make_kernel, fuses=rule)


def _double(type: str, grad: str, saved: str | None, slot: str, scalars: tuple[str, ...]) -> Grad:
    """Return the gradient of the gradient operator with respect to its inputs, by symbolic differentiation."""
    name = f"{type}_grad_grad"
    arrays = tuple(a for a in (saved, "dout", "ddx") if a)
    by = {"dsaved": saved, "ddout": "dout"} if saved else {"ddout": "dout"}

    def outputs() -> dict[str, str]:
        return {output: f"({derive(grad, variable)}) * ddx" for output, variable in by.items()}

    forms = ExpressionKernels(name, outputs, arrays, scalars)
    gives = f"{slot}@GRAD Out@GRAD@GRAD" if saved else "Out@GRAD@GRAD"
    reads = f"{slot} Out@GRAD X@GRAD@GRAD".strip()
    rule = forms.rule(gives.split())
    return Grad(reads, gives, forms.reference, type=name, make_kernel=forms.make_kernel, fuses=rule)


def mentions(expression: str, name: str) -> bool:
    """Return whether a name occurs in an expression."""
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(ast.parse(expression, mode="eval")))
