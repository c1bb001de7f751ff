"""`paddle_lite/core/typing.pyi`: one static type for the Variables of both modes, made from their classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from paddle_lite.imperative.parameter import Parameter as ImperativeParameter
from paddle_lite.imperative.variable import Variable as ImperativeVariable
from paddle_lite.static.program.variable import Parameter as StaticParameter
from paddle_lite.static.program.variable import Variable as StaticVariable

from .annotations import TYPING, Imports, signature

HEADER = '''"""Made by `python -m stubs`: one static type for the Variables of both modes."""
'''
HELPERS = '''
Operand: TypeAlias = Variable | float | np.ndarray | np.generic
"""What Python's operators take beside a Variable."""

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

class Computes(Protocol[P, R]):
    """What has a `forward`: calling a Layer takes its arguments and returns its result."""

    def forward(self, *inputs: P.args, **keywords: P.kwargs) -> R: ...

class Shape(list[int]):
    """A list in imperative mode, a tuple in a Program, where -1 is a size that is known when it runs."""

    def __add__(self, other: Sequence[int]) -> list[int]: ...  # type: ignore[override]
    def __radd__(self, other: Sequence[int]) -> list[int]: ...
    def __eq__(self, other: object) -> bool: ...
'''
BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
COMPARISONS = ("lt", "le", "gt", "ge")
SPECIAL = {
    **{f"__{r}{name}__": "(self, other: Operand) -> Variable" for name in BINARY for r in ("", "r")},
    **{f"__{name}__": "(self, other: Operand) -> Variable" for name in COMPARISONS},
    **{f"__{name}__": "(self, other: Operand | None) -> Variable" for name in ("eq", "ne")},
    **{f"__{name}__": "(self) -> Variable" for name in ("neg", "pos", "abs", "invert")},
    "__round__": "(self, digits: int | None = None) -> Variable",
    "__hash__": "(self) -> int",
    "__bool__": "(self) -> bool",
    "__int__": "(self) -> int",
    "__float__": "(self) -> float",
    "__index__": "(self) -> int",
    "__len__": "(self) -> int",
    "__iter__": "(self) -> Iterator[Variable]",
    "__contains__": "(self, value: object) -> bool",
    "__getitem__": "(self, key: Any) -> Variable",
    "__array__": "(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray",
    "__dlpack__": "(self, **keywords: Any) -> Any",
    "__dlpack_device__": "(self) -> tuple[int, int]",
}
"""Special methods as type checkers should see them; those that a class has are written. Assigning to parts of a Variable is
always an error, so it has no method."""

INTERNAL = frozenset(
    {"array", "levels", "node", "stopped", "home", "fitting", "take", "raw_gradient", "meta", "set_meta", "parts"}
) | {"gradient_state", "is_parameter"}
ATTRIBUTES = {
    "Variable": {
        "block": "Any",
        "op": "Any",
        "type": "Any",
        "is_data": "bool",
        "need_check_feed": "bool",
        "error_clip": "Any",
    },
    "Parameter": {
        "trainable": "bool",
        "optimize_attr": "dict[str, Any]",
        "regularizer": "Any",
        "gradient_clip_attr": "Any",
        "do_model_average": "bool | None",
        "is_distributed": "bool",
    },
}
"""Attributes that the classes set when they make an object."""
RESULTS = {"shape": "Shape"}
DOCS = {
    "Variable": "An array of imperative mode together with its place on the tape, or a Variable of a Program: operators take and\nreturn it.",
    "Parameter": "A Variable that an optimizer trains.",
}


def stub() -> str:
    """Return the text of the stub."""
    imports = Imports(TYPING)
    for name in ("Any", "ParamSpec", "Protocol", "TypeAlias", "TypeVar"):
        imports.take("typing", name, name)
    for name in ("Iterator", "Sequence"):
        imports.take("collections.abc", name, name)
    imports.module_as("numpy", "np")
    variable = "\n".join(_class("Variable", "", ImperativeVariable, StaticVariable, imports))
    parameter = "\n".join(_class("Parameter", "(Variable)", ImperativeParameter, StaticParameter, imports))
    return f"{HEADER}\n{_lines(imports)}\n{HELPERS}\n{variable}\n\n{parameter}\n"


def _lines(imports: Imports) -> str:
    return "\n".join(sorted(imports.lines))


def _class(name: str, base: str, imperative: type, static: type, imports: Imports) -> Iterator[str]:
    """Yield the lines of a class that has what either of two classes has."""
    yield f"class {name}{base}:"
    yield f"    {docstring(DOCS[name], 4)}"
    above = (imperative.__mro__[1], static.__mro__[1]) if base else (object,)
    inherited = {attribute for kind in above for attribute in dir(kind)}
    own = {attribute for kind in (imperative, static) for attribute in dir(kind) if not attribute.startswith("_")}
    attributes = ATTRIBUTES[name]
    yield from (f"    {attribute}: {attributes[attribute]}" for attribute in sorted(attributes))
    for attribute in sorted(own - inherited - INTERNAL - set(attributes)):
        yield from _member(attribute, imperative, static, imports)
    for special, text in SPECIAL.items() if not base else ():
        if any(special in vars(part) for kind in (imperative, static) for part in kind.__mro__[:-1]):
            override = "  # type: ignore[override]" if special in ("__eq__", "__ne__") else ""
            yield f"    def {special}{text}: ...{override}"


def _member(name: str, imperative: type, static: type, imports: Imports) -> Iterator[str]:
    """Yield the lines of a method, a property or a class attribute; the imperative one goes before."""
    for kind in (imperative, static):
        value = inspect.getattr_static(kind, name, None)
        if value is None or (
            inspect.isroutine(value) is False and not isinstance(value, property) and kind is imperative
        ):
            continue
        if isinstance(value, property):
            yield from _property(name, value, imports)
        elif inspect.isfunction(value):
            yield f"    def {name}{signature(value, imports)}:"
            yield f"        {_docstring(value, 8)}"
            yield "        ..."
        return


def _property(name: str, value: property, imports: Imports) -> Iterator[str]:
    assert value.fget is not None
    yield "    @property"
    yield f"    def {name}{signature(value.fget, imports, RESULTS.get(name))}:"
    yield f"        {_docstring(value, 8)}"
    yield "        ..."
    if value.fset is not None:
        yield f"    @{name}.setter"
        yield f"    def {name}(self, value: Any) -> None: ..."


def _docstring(value: Any, indent: int) -> str:
    """A docstring as it stands in a stub."""
    text = inspect.getdoc(value) or ""
    return docstring(text, indent)


def docstring(text: str, indent: int) -> str:
    """Return text as a docstring, for code that is indented by some spaces."""
    raw = "r" if "\\" in text else ""
    body = text.replace('"""', "'''").replace("\n", "\n" + " " * indent)
    lines = [line.rstrip() for line in body.splitlines()] or [""]
    end = " " if lines[-1].endswith('"') else ""
    return f'{raw}"""' + "\n".join(lines) + end + ("\n" + " " * indent if len(lines) > 1 else "") + '"""'
