"""ConfigFactory: strategies and what they need, from a YAML file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ....core.errors import ArgumentValueError, MissingFileError, message

__all__ = ["ConfigFactory"]

CLASSES = {
    "AutoPruneStrategy": "prune.auto_prune", "DistillationStrategy": "distillation.strategy",
    "FSPDistiller": "distillation.distillers", "L2Distiller": "distillation.distillers",
    "LightNASStrategy": "nas.strategy", "MKLDNNPostTrainingQuantStrategy": "quantization.mkldnn",
    "PruneStrategy": "prune.strategies", "QuantizationStrategy": "quantization.strategy",
    "SAController": "searcher.controllers", "SensitivePruneStrategy": "prune.strategies",
    "SoftLabelDistiller": "distillation.distillers", "Strategy": "core.strategy", "StructurePruner": "prune.pruner",
    "UniformPruneStrategy": "prune.strategies",
}  # fmt: skip
"""Classes that a file can name, and their modules."""
PLUGINS = ["pruners", "quantizers", "distillers", "strategies", "controllers"]
"""Sections of a file that hold instances."""


class ConfigFactory:
    """Makes the instances that a YAML file describes; each is made once.

    The sections `pruners`, `distillers`, `controllers` and `strategies` hold named instances, each with its `class` and the
    arguments of it; an argument may be the name of another instance. The section `compressor` has the number of epochs,
    the folder of checkpoints, and the names of the strategies.

    Arguments:
        config: the path of the file.

    Raises:
        MissingFileError: there is no such file.
        ArgumentValueError: the file names an unknown class, or an argument that its class does not have.
    """

    def __init__(self, config: str) -> None:
        self.instances: dict[str, Any] = {}
        self.compressor: dict[str, Any] = {}
        self.version: int | None = None
        self._described: dict[str, dict[str, Any]] = {}
        self._parse_config(config)

    def instance(self, name: str) -> Any:
        """Return the instance of a name, or None if the file has none."""
        if name not in self.instances and name in self._described:
            self.instances[name] = self._new_instance(name, self._described[name])
        return self.instances.get(name)

    def _new_instance(self, name: str, attrs: Mapping[str, Any]) -> Any:
        kind = _class_of(name, attrs.get("class"))
        known = [each for each in inspect.signature(kind).parameters if each != "self"]
        given = {key: self._value(value) for key, value in attrs.items() if key != "class"}
        wrong = [key for key in given if key not in known]
        if wrong:
            where = f"ConfigFactory: {name}"
            raise ArgumentValueError(
                message(where, f"an argument of {attrs['class']}", repr(wrong[0]), f"one of {known}")
            )
        return kind(**given)

    def _value(self, value: Any) -> Any:
        """Return an argument: the instance, where it is the name of one."""
        if isinstance(value, list):
            return [self._value(each) for each in value]
        return self.instance(value) if isinstance(value, str) and value in self._described else value

    def _parse_config(self, config: str) -> None:
        try:
            import yaml  # type: ignore[import-untyped]
        except ImportError as error:
            raise ImportError("ConfigFactory: YAML files need the package PyYAML. Run pip install pyyaml.") from error
        path = Path(config)
        if not path.is_file():
            raise MissingFileError(message("ConfigFactory", "config", str(config), "the path of a YAML file"))
        content = yaml.safe_load(path.read_text(encoding="utf8")) or {}
        self.version = int(content.get("version", 1))
        for section in PLUGINS:
            self._described.update(content.get(section) or {})
        self.compressor = dict(content.get("compressor") or {})
        for name in self._described:
            self.instance(name)
        names = self.compressor.get("strategies") or []
        missing = [name for name in names if name not in self._described]
        if missing:
            needs = f"one of {sorted(self._described)}"
            raise ArgumentValueError(message("ConfigFactory", "a strategy of compressor", repr(missing[0]), needs))


def _class_of(name: str, kind: Any) -> Callable[..., Any]:
    if kind not in CLASSES:
        raise ArgumentValueError(message(f"ConfigFactory: {name}", "class", repr(kind), f"one of {sorted(CLASSES)}"))
    module = import_module(f"{__package__.rpartition('.')[0]}.{CLASSES[kind]}")
    found: Callable[..., Any] = getattr(module, kind)
    return found
