"""An LLVM module: the functions that one kernel consists of, for arguments of certain types."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .errors import Unsupported
from .functions import FunctionCompiler
from .machine import FINAL
from .source import source_of
from .types import Array, Number, parts_of
from .values import Value, known, of_parts

__all__ = ["Module", "Template"]

LARGEST_CONSTANT = 1 << 16  # bytes of an array that is a global of the Python function
_FLAGS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")  # in LLVM's order


class Template(NamedTuple):
    """A function that is written directly in SSA form, so that LLVM's passes have nothing to do.

    declaration: the line that declares it. needs: the declarations of what it calls. text: its definition.
    """

    declaration: str
    needs: frozenset[str]
    text: str


def flags_of(options: dict[str, Any]) -> str:
    """Return LLVM's fast-math flags of the options of a kernel, each followed by a space."""
    return "".join(f"{flag} " for flag in _FLAGS if flag in options.get("fastmath", ()))


class Module:
    """Collects functions; each combination of a Python function and types of arguments is written once.

    Args:
        bounds_checks: whether every index is checked.

    Attributes:
        reads_objects: whether a function reads arrays through the addresses of their objects.
    """

    def __init__(self, bounds_checks: bool = False) -> None:
        self.bounds_checks = bounds_checks
        self.reads_objects = False
        self.declarations: set[str] = set()
        self._functions: dict[Any, FunctionCompiler] = {}
        self._texts: list[str] = []
        self._templates: dict[str, Template] = {}
        self._failures: dict[tuple[str, str], str] = {}
        self._open: list[Any] = []
        self._constants: dict[str, str] = {}

    def function(
        self, python: Any, options: dict[str, Any], arguments: Sequence[Value], attributes: str = ""
    ) -> FunctionCompiler:
        """Return a Python function as a function of the module, for arguments of these types, with LLVM's attributes."""
        source = source_of(python)
        missing = len(source.parameters) - len(arguments)
        if not 0 <= missing <= len(source.defaults):
            raise Unsupported(f"{python.__name__} called with {len(arguments)} arguments")
        types = tuple(value.type for value in arguments)
        key = (python, flags_of(options), types)
        found = self._functions.get(key)
        if found is None:
            if key in self._open:
                raise Unsupported(f"{python.__name__} calls itself")
            self._open.append(key)
            name = f"{re.sub(r'[^0-9A-Za-z_]', '_', python.__name__)}.{len(self._functions) + len(self._open)}"
            found = FunctionCompiler(self, name, source, flags_of(options))
            values, parameters = _parameters(types, bool(options.get("noalias")))
            try:
                found.compile([*values, *(known(value) for value in source.defaults[len(source.defaults) - missing :])])
            except Unsupported as error:
                error.where = error.where or source.place(source.tree)
                raise
            self._texts.append(found.finished(parameters, f"{attributes} nounwind"))
            self._functions[key] = found
            self._open.remove(key)
        return found

    def template(self, name: str, write: Callable[[], Template]) -> None:
        """Add a function that is written without the front end, if it is not there yet."""
        if name not in self._templates:
            self._templates[name] = write()

    def constant(self, array: np.ndarray, element: Number) -> str:
        """Return the address of a global with the elements of a contiguous array."""
        if array.nbytes > LARGEST_CONSTANT:
            raise Unsupported(f"a constant array of {array.nbytes} bytes")
        text = f"internal constant {_literal(array.tobytes())}, align 64"
        return self._constants.setdefault(text, f"@constant.{len(self._constants)}")

    def failure(self, error: str, message: str, where: str) -> str:
        """Return the global that describes an exception: its class, and its text."""
        return self._failures.setdefault((error, f"{where}: {message}"), f"@failure.{len(self._failures)}")

    def text(self, entry: str) -> str:
        """Return the module with the text of its entry."""
        lines = [f"{name} = {data}" for data, name in self._constants.items()]
        for (error, message), name in self._failures.items():
            text = f"{name}.text"
            lines += [f"{text} = internal constant {_literal(message.encode() + bytes(1))}"]
            lines += [f'{name} = internal constant {{ ptr, ptr }} {{ ptr @"python.{error}", ptr {text} }}']
        lines += [f'@"python.{error}" = external global i8' for error in sorted({error for error, _ in self._failures})]
        declared = sorted({*self.declarations, *(template.declaration for template in self._templates.values())})
        return "\n".join([*lines, *declared, *self._texts, entry, *self._final(), ""])

    def _final(self) -> list[str]:
        """Return the lines of the templates, which need none of LLVM's passes."""
        if not self._templates:
            return []
        templates = self._templates.values()
        needed = sorted({line for template in templates for line in template.needs})
        return [FINAL, *needed, *(template.text for template in templates)]


def _literal(data: bytes) -> str:
    """Return LLVM's type and literal of an array of bytes."""
    plain = set(range(32, 127)) - set(b'"\\')
    escaped = "".join(chr(byte) if byte in plain else f"\\{byte:02X}" for byte in data)
    return f'[{len(data)} x i8] c"{escaped}"'


def _parameters(types: Sequence[Any], noalias: bool) -> tuple[list[Value], list[str]]:
    """Return the values of a function's arguments and the declarations of its parameters."""
    words = [part for type in types for part in parts_of(type)]
    refs = [f"%a{k}" for k in range(len(words))]
    pointer = "ptr noalias" if noalias else "ptr"
    values = of_parts(types, refs)
    values = [
        v._replace(natural=not isinstance(v.type, Array) and getattr(v.type, "kind", "") in ("u", "b")) for v in values
    ]
    return values, [f"{pointer if word == 'ptr' else word} {ref}" for word, ref in zip(words, refs, strict=True)]
