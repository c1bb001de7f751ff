"""The errors about a name that PaddlePaddle may have and paddle_lite has not."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from paddle_lite.core.errors import NotYetAvailable
from paddle_lite.version import full_version


def missing_text(name: str) -> str:
    """What is said of a missing API, `name` with all its dots."""
    return f"{name} is not yet available in paddle_lite {full_version}"


def missing_module(name: str) -> ModuleNotFoundError:
    """The error for `import name`, and for `from package import name`."""
    return ModuleNotFoundError(missing_text(name), name=name)


def missing_attribute(module: ModuleType, public: str, attribute: str) -> AttributeError:
    """The error for `module.attribute`, where programs call the module `public`."""
    if attribute.startswith("__"):
        return AttributeError(f"module {public!r} has no attribute {attribute!r}", name=attribute, obj=module)
    return NotYetAvailable(missing_text(f"{public}.{attribute}"), name=attribute, obj=module)


def attributes_of(module: ModuleType, public: str, has_submodule: Callable[[str], bool]) -> Callable[[str], Any]:
    """The `__getattr__` of a module that programs call `public`.

    As in PaddlePaddle, where `import paddle.fluid` loads every submodule, a submodule is there without being imported.
    """

    def __getattr__(name: str) -> Any:
        if not name.startswith("_") and has_submodule(f"{public}.{name}"):
            return importlib.import_module(f"{public}.{name}")
        raise missing_attribute(module, public, name)

    return __getattr__
