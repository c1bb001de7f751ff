"""What a keyword that a function does not have is called here: `reduce_mean(axis=1)` takes `dim`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ..text import closest

_PACKAGE = __name__.partition(".")[0]
_UNEXPECTED = re.compile(r"([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'")
SPELLINGS = (
    "axis dim axes",
    "keepdim keepdims keep_dim keep_dims",
    "x input data X inputs",
    "y other label Y",
    "in_features input_dim in_channels num_channels input_size",
    "out_features output_dim units size out_channels num_filters filters",
    "kernel_size filter_size pool_size",
    "stride strides pool_stride",
    "padding paddings pool_padding",
    "num_embeddings size",
    "bias bias_attr use_bias",
    "weight param_attr",
    "activation act",
    "p dropout_prob rate",
    "eps epsilon",
    "lr learning_rate",
    "params parameters parameter_list",
    "weight_decay regularization",
    "betas beta1 beta_1",
    "num_features num_channels",
    "shape size newshape",
    "fetches fetch_list",
    "feed_dict feed",
)
"""Names of one thing in PyTorch, NumPy, TensorFlow, Keras, Paddle 2 and here, each line in the order of preference."""


def name_arguments(error: TypeError) -> None:
    """Append to Python's error about an unexpected keyword what the function of paddle_lite calls it; leave others as they are."""
    found = _UNEXPECTED.fullmatch(str(error))
    if found is None:
        return
    name, keyword = found.groups()
    texts = {_text(function, keyword) for function in _functions(name, keyword)}
    if len(texts) == 1:
        error.args = (f"{error}. {texts.pop()}",)


def _functions(name: str, keyword: str) -> Iterator[FunctionType]:
    """Yield the functions of paddle_lite with a qualified name that do not have the keyword."""
    for module, content in list(sys.modules.items()):
        if module.startswith(f"{_PACKAGE}."):
            value: Any = vars(content).get(name.partition(".")[0])
            for part in name.split(".")[1:]:
                value = getattr(value, part, None)
            value = inspect.unwrap(value) if callable(value) else value
            if isinstance(value, FunctionType) and _is_public(value.__module__) and keyword not in _names(value):
                yield value


def _is_public(module: str) -> bool:
    """Return whether programs call the functions of a module: one of paddle_lite, but no kernel or declaration."""
    package, _, rest = module.partition(".")
    return package == _PACKAGE and not rest.startswith(("kernels.", "ops."))


def _names(function: FunctionType) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def _text(function: FunctionType, keyword: str) -> str:
    names = _names(function)
    meant = next((n for line in SPELLINGS if keyword in line.split() for n in line.split() if n in names), None)
    meant = meant or closest(keyword, names)
    listed = f"Its arguments are {', '.join(names)}."
    return f"Here it is called {meant!r}. {listed}" if meant else listed
