"""Inputs."""

from __future__ import annotations

from typing import Any

from ..builder import Builder, Choices, Input

WEIGHTS = {"dense": 7, "image": 1, "words": 2, "ids": 2, "integers": 2}

SHAPES = {
    "a": ((-1, 4), "batch"), "b": ((-1, 8), "batch"), "c": ((-1, 3, 4), "batch"), "d": ((-1, 1), "batch"), "e": ((4,), ""),
    "f": ((3,), ""), "g": ((1,), ""), "h": ((-1, 2, 3, 4), "batch"), "k": ((-1, 4), "batch"),
}  # fmt: skip


def dense(b: Builder, c: Choices, _: Any) -> None:
    name = c.one(*SHAPES)
    shape, rows = SHAPES[name]
    b.given(name, Input(shape, b.dtype, rows))


def image(b: Builder, c: Choices, _: Any) -> None:
    b.given("image", Input((-1, 4, 6, 6), b.dtype, "batch"))


def words(b: Builder, c: Choices, _: Any) -> None:
    if c.int(0, 2):
        b.given("words", Input((-1, 4), b.dtype, "words", ragged=1))
    else:
        b.given("word_ids", Input((-1, 1), "int64", "words", high=7, ragged=1))


def ids(b: Builder, c: Choices, _: Any) -> None:
    if c.flag():
        b.given("ids", Input((-1, 1), "int64", "batch", high=7))
    else:
        b.given("labels", Input((-1, 1), "int64", "batch", high=4))


def integers(b: Builder, c: Choices, _: Any) -> None:
    name = c.one("m", "n", "p", "flags")
    if name == "flags":
        b.given(name, Input((-1, 4), "bool", "batch"))
    else:
        b.given(name, Input((-1, 4), "int32" if name == "m" else "int64", "batch"))
