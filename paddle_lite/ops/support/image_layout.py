"""Conversions between channels-first and channels-last images of any number of dimensions, over either array module."""

from __future__ import annotations

from typing import Any


def channels_last(data_format: str) -> bool:
    return data_format in ("NHWC", "NDHWC")


def to_channels_first(x: Any, data_format: str) -> Any:
    return x.transpose(0, x.ndim - 1, *range(1, x.ndim - 1)) if channels_last(data_format) else x


def from_channels_first(x: Any, data_format: str) -> Any:
    return x.transpose(0, *range(2, x.ndim), 1) if channels_last(data_format) else x
