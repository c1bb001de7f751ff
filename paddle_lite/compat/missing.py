"""The errors about names that a module of `paddle` does not have."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from paddle_lite.core.missing import absent_text, missing_names


def missing_module(name: str) -> ModuleNotFoundError:
    """Return the error for `import name`, and for `from package import name`."""
    return ModuleNotFoundError(absent_text(name), name=name)


class Attributes:
    """The `__getattr__` of a module whose public name is `public`.

    As in PaddlePaddle, where `import paddle.fluid` loads every submodule, a submodule is there without being imported.
    """

    def __init__(self, module: ModuleType, public: str, has_submodule: Callable[[str], bool]) -> None:
        self.own = vars(module).get("__getattr__") or missing_names(module.__name__)
        self.public = public
        self.has_submodule = has_submodule

    def __call__(self, name: str) -> Any:
        submodule = f"{self.public}.{name}"
        try:
            return self.own(name)
        except AttributeError:
            if name.startswith("_") or not self.has_submodule(submodule):
                raise
        return importlib.import_module(submodule)
