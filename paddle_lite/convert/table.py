"""The table of docs/convert.md: which operators can be converted to what.

    python -m paddle_lite.convert.table docs/convert.md

writes it anew, between its two marks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby

from ..ops.framework import registry
from ..static.operators.structural import definitions
from .onnx.build import operators as onnx_operators
from .torch.build import operators as torch_operators

BEGIN, END = "<!-- operators -->\n", "<!-- end of operators -->\n"
TRAINING = ("optim",)
"""Families whose operators only training has."""
PROCESSES = (
    "c_",
    "gen_nccl",
    "allreduce",
    "broadcast",
    "send",
    "recv",
    "fetch",
    "feed",
    "listen",
    "split_sel",
    "fake_init",
    "distributed",
)
"""How operators begin that move numbers between processes, or in and out."""
TITLES = ("ONNX and PyTorch", "ONNX only", "PyTorch only", "neither")


def families() -> Iterator[tuple[str, list[str]]]:
    """Yield the families of operators, and the types in each that inference may have."""
    found = {
        (definition.family.split(".")[0], definition.type)
        for definition in registry.all_ops()
        if not definition.type.endswith("_grad") and "_grad_" not in definition.type
    }
    found |= {
        ("control", type) for type in definitions if not type.endswith("_grad") and not type.startswith(PROCESSES)
    }
    for family, members in groupby(sorted(found), key=lambda pair: pair[0]):
        if family not in TRAINING:
            yield family, [type for _, type in members]


def table() -> str:
    """Return the table as Markdown."""
    onnx, torch = set(onnx_operators()), set(torch_operators())
    lines = [f"| family | {' | '.join(TITLES)} |", "| --- | --- | --- | --- | --- |"]
    for family, types in families():
        cells = [
            [t for t in types if t in onnx and t in torch], [t for t in types if t in onnx and t not in torch],
            [t for t in types if t in torch and t not in onnx], [t for t in types if t not in onnx and t not in torch],
        ]  # fmt: skip
        lines.append(f"| `{family}` | {' | '.join(' '.join(cell) for cell in cells)} |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """Return a page with the table in the place between its marks."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


def main(path: str) -> None:
    """Write the table of a page anew."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_table(text))


if __name__ == "__main__":
    main(sys.argv[1])
