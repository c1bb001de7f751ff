"""Ranges of values from the batches that are seen: by absolute values, by least and largest ones, by thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kl_threshold import kl_threshold


class Ranges:
    """Base class: collects values of activations and weights, by name.

    Arguments:
        channels: whether the ranges of a weight are those of its parts along the first axis.
    """

    def __init__(self, channels: bool) -> None:
        self.channels = channels

    def see(self, name: str, values: np.ndarray) -> None:
        """Take a batch of an activation."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it keeps of a batch: define see()")

    def see_weight(self, name: str, values: np.ndarray) -> None:
        """Take a weight."""

    def scales(self) -> dict[str, float]:
        """Return the scale of each activation."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a scale is: define scales()")

    def attributes_of(self, name: str, prefix: str = "") -> dict[str, Any]:
        """Return the attributes that say the range of a Variable; {} where it is not known."""
        found = self.scales().get(name)
        return {} if found is None else {f"{prefix}threshold": float(found)}


class Largest(Ranges):
    """The largest absolute value of all batches."""

    def __init__(self, channels: bool) -> None:
        super().__init__(channels)
        self._found: dict[str, float] = {}

    def see(self, name: str, values: np.ndarray) -> None:
        self._found[name] = max(self._found.get(name, 0.0), float(np.max(np.abs(values))))

    def scales(self) -> dict[str, float]:
        return self._found


class KullbackLeibler(Ranges):
    """The threshold that loses the least information; see kl_threshold.py."""

    def __init__(self, channels: bool) -> None:
        super().__init__(channels)
        self._values: dict[str, list[np.ndarray]] = {}
        self._found: dict[str, float] = {}

    def see(self, name: str, values: np.ndarray) -> None:
        self._values.setdefault(name, []).append(np.abs(values.reshape(-1)))

    def scales(self) -> dict[str, float]:
        for name, values in self._values.items():
            self._found[name] = kl_threshold(np.concatenate(values))
        self._values = {}
        return self._found


class MinMax(Ranges):
    """The least and the largest value of all batches; of a weight, numbers or lists of them."""

    def __init__(self, channels: bool) -> None:
        super().__init__(channels)
        self._found: dict[str, tuple[Any, Any]] = {}

    def see(self, name: str, values: np.ndarray) -> None:
        low, high = self._found.get(name, (np.inf, -np.inf))
        self._found[name] = min(low, float(np.min(values))), max(high, float(np.max(values)))

    def see_weight(self, name: str, values: np.ndarray) -> None:
        parts = list(values) if self.channels else [values]
        low, high = [float(np.min(part)) for part in parts], [float(np.max(part)) for part in parts]
        self._found[name] = (low, high) if self.channels else (low[0], high[0])

    def scales(self) -> dict[str, float]:
        return {}

    def attributes_of(self, name: str, prefix: str = "") -> dict[str, Any]:
        if name not in self._found:
            return {}
        low, high = self._found[name]
        return {f"{prefix}min": low, f"{prefix}max": high}
