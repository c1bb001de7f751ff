"""All models, found by the files in tests/jit/models."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.jit.models.base import Model

FILES = tuple(sorted(p.stem for p in (Path(__file__).parent / "models").glob("*.py") if p.stem != "__init__"))


def models_of(file: str) -> list[type[Model]]:
    """The models that a file defines."""
    module = importlib.import_module(f"tests.jit.models.{file}")
    found = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, Model) and v is not Model]
    return [v for v in found if v.__module__ == module.__name__]


ALL = [model for file in FILES for model in models_of(file)]
