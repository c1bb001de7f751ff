"""The source of a PyTorch module in the making: its layers, its forward, and its weights."""

from __future__ import annotations

import builtins
import keyword
import re

import numpy as np

TAKEN = {*keyword.kwlist, *dir(builtins), "self", "torch", "nn", "F", "Net", "load", "math"}


class Source:
    """Lines of `__init__` and `forward`, and the state dict.

    weights: the array of each entry of the state dict.
    """

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.lines: list[str] = []
        self.weights: dict[str, np.ndarray] = {}
        self.indent = 0
        self._attributes: set[str] = {"forward", "training", "T"}
        self._locals: set[str] = set()
        self._made: dict[tuple, str] = {}
        self._homes: dict[tuple, str] = {}

    # --- names ------------------------------------------------------------------------------------------------------------

    def local(self, hint: str) -> str:
        """Return a new name of a local variable."""
        return _fresh(identifier(hint), self._locals | TAKEN, self._locals)

    def attribute(self, hint: str) -> str:
        """Return a new name of an attribute."""
        return _fresh(identifier(hint), self._attributes | set(keyword.kwlist), self._attributes)

    # --- lines ------------------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Append a line to forward."""
        self.lines.append("    " * self.indent + text)

    def layer(self, hint: str, constructor: str, weights: dict[str, tuple[str, str, np.ndarray]]) -> str:
        """Return a layer as an expression; two calls of the same layer are one.

        Arguments:
            hint: its name.
            constructor: the expression that makes it.
            weights: for each of its entries (the name of the parameter, how it was changed, the array).
        """
        kinds = {array.dtype for _, _, array in weights.values() if array.dtype.kind == "f"} - {np.dtype(np.float32)}
        if kinds:
            constructor = f"{constructor[:-1]}, dtype=torch.{kinds.pop().name})"
        key = (constructor, tuple((entry, name, how) for entry, (name, how, _) in weights.items()))
        if weights and key in self._made:
            return f"self.{self._made[key]}"
        name = self._made[key] = self.attribute(hint)
        self.layers.append(f"self.{name} = {constructor}")
        for entry, (parameter, how, array) in weights.items():
            home = self._homes.setdefault((parameter, how), f"{name}.{entry}")
            if home != f"{name}.{entry}" and _trained(entry):
                self.layers.append(f"self.{name}.{entry} = self.{home}")
            self.weights[f"{name}.{entry}"] = array
        return f"self.{name}"

    def parameter(self, name: str, array: np.ndarray, trained: bool = True) -> str:
        """Return a weight that no layer holds, as an expression."""
        key = ("parameter", name)
        if key not in self._made:
            attribute = self._made[key] = self.attribute(name)
            shape = ", ".join(map(str, array.shape))
            if trained and array.dtype.kind == "f":
                self.layers.append(f"self.{attribute} = nn.Parameter(torch.empty({shape or '()'}{_dtype(array)}))")
            else:
                made = f"torch.empty({shape or '()'}, dtype=torch.{array.dtype.name})"
                self.layers.append(f'self.register_buffer("{attribute}", {made})')
            self.weights[attribute] = array
        return f"self.{self._made[key]}"


def _trained(entry: str) -> bool:
    """Return whether an entry of a layer is a parameter, which another layer may share, and no buffer."""
    return entry in ("weight", "bias")


def _dtype(array: np.ndarray) -> str:
    return "" if array.dtype == np.float32 else f", dtype=torch.{array.dtype.name}"


def _fresh(base: str, taken: set[str], used: set[str]) -> str:
    name, at = base, 1
    while name in taken:
        at += 1
        name = f"{base}_{at}"
    used.add(name)
    return name


def identifier(text: str) -> str:
    """Return a text as a Python name.

    >>> identifier("fc_0.tmp_2"), identifier("save/scale@1"), identifier("3d")
    ('fc_0_tmp_2', 'save_scale_1', 'v3d')
    """
    name = re.sub(r"\W+", "_", text).strip("_") or "v"
    return f"v{name}" if name[0].isdigit() else name
