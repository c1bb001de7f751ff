"""`python -m paddle_lite ops`: what it lists is what is declared, and every place that it names holds what it says."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paddle_lite.kernels import registry as kernels
from paddle_lite.ops.framework import listing, registry
from tests.ops.loaded import forward_ops

ROOT = Path(listing.__file__).parents[3]


def lines_at(text: str) -> list[str]:
    """The first lines at a `file:line`."""
    path, line = re.fullmatch(r"(\S+\.py):(\d+)", text).groups()  # type: ignore[union-attr]
    return (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1 :][:6]


def test_every_declaration_is_where_it_says() -> None:
    for op in forward_ops():
        assert f'"{op.type}"' in "".join(lines_at(listing.declaration_of(op))), op.type


def test_every_reference_is_where_it_says() -> None:
    for op in forward_ops():
        found = listing.function_at(op.reference, op)
        place = found.removeprefix("made by ").removesuffix(" from the declaration")
        assert re.search(r"def |lambda", "".join(lines_at(place))), (op.type, found)


def test_a_gradient_operator_stands_with_the_operator_it_belongs_to() -> None:
    relu, grad = registry.get("relu"), registry.get("relu_grad")
    assert listing.declaration_of(grad) == listing.declaration_of(relu)
    assert listing.row_at(grad) == listing.row_at(relu)
    assert '"relu"' in "".join(lines_at(listing.row_at(relu)))


def test_registered_kernels_are_found_without_importing_them() -> None:
    for family in registry.families():
        name = f"paddle_lite.kernels.cpu.{family}_kernels"
        found = listing.registered("cpu", family)
        if listing._source_of(name) is None:
            assert found == {}
            continue
        importlib.import_module(name)
        live = {t: f for (t, device), f in kernels._kernels.items() if device == "cpu" and f.__module__ == name}
        assert set(found) == set(live)
        for type, place in found.items():
            assert "def " in "".join(lines_at(place)), type


def test_table_counts_what_it_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["--family", "math.elementwise"]) == 0
    head, *rows, blank, totals = capsys.readouterr().out.splitlines()
    types = [op.type for op in forward_ops() if op.family == "math.elementwise"]
    assert head.split() == ["type", "family", "attributes", "gradient", "cpu", "gpu", "slots"]
    assert [row.split()[0] for row in rows] == types and blank == ""
    graded = sum(registry.get(type).grad is not None for type in types)
    assert totals.startswith(f"{len(types)} operators, {graded} with a gradient, ")
    assert "elementwise_add_grad" in rows[types.index("elementwise_add")] and "X Y -> Out" in rows[0]


def test_operators_that_only_programs_have(capsys: pytest.CaptureFixture[str]) -> None:
    importlib.import_module("paddle_lite.static")
    for op in registry.only_in_programs.values():
        if op.forward is None:
            assert "structural(" in lines_at(listing.declaration_of(op))[0], op.type
    assert listing.main(["where", "py_func"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"op py_func: X\* -> Out\*.*\n  declaration  paddle_lite/static/operators/py_func.py:\d+\n", text)
    assert "in Programs only" in text
    assert listing.main(["--json"]) == 0
    said = {fact["type"]: fact for fact in json.loads(capsys.readouterr().out)}
    assert said["while"]["cpu"] == said["while"]["gpu"] == "Program"
    assert list(said) == sorted(said)


def test_a_reader_may_stop_early() -> None:
    command = [sys.executable, "-m", "paddle_lite", "ops", "--family", "math.elementwise"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_json_holds_the_facts(capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["--json"]) == 0
    found = {op["type"]: op for op in json.loads(capsys.readouterr().out)}
    own = {op.type for op in registry.only_in_programs.values() if op.forward is None}
    assert set(found) == {op.type for op in forward_ops()} | own
    add = found["elementwise_add"]
    assert (add["family"], add["inputs"], add["outputs"]) == ("math.elementwise", ["X", "Y"], ["Out"])
    assert (add["attributes"], add["gradient"]) == (4, "elementwise_add_grad")
    assert set(add) >= {"cpu", "gpu"}


@pytest.mark.parametrize(
    "type", ["relu", "sum", "elementwise_mul", "relu_grad", "cast", "conv2d", "less_than", "reduce_sum"]
)
def test_where_names_every_part(type: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["where", type]) == 0
    out = capsys.readouterr().out
    for part in ("declaration", "reference", "CPU kernel", "GPU kernel", "gradient", "traits", "test row"):
        assert f"  {part} " in out, part
    for place in re.findall(r"\S+\.py:\d+", out):
        assert lines_at(place)


@pytest.mark.parametrize(
    ("type", "traits"),
    [
        ("softmax", "flops=5 an element of X, fuses=Rule, activation"),
        ("matmul", "flops=product of X and Y, algebra=Matmul, fresh, captured"),
        ("reshape2_grad", "flops=0, view=Reshape"),
        ("top_k", "along=Along, stopped='Out Indices', fed_as='K', captured=found_unsorted"),
        ("linear_chain_crf", "captured=without Length"),
        ("argsort", "stopped='Out Indices'"),
        ("gather", "flops=0, gathers='X', takes_rows=TakesRows, fed_as='Index'"),
        ("roi_pool", "none"),
    ],
)
def test_where_tells_the_traits(type: str, traits: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["where", type]) == 0
    assert f"  traits       {traits}\n" in capsys.readouterr().out


def test_where_suggests_what_may_be_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["where", "elementwise_ad"]) == 1
    assert "no operator 'elementwise_ad'. Near it: elementwise_add" in capsys.readouterr().err
    assert listing.main(["where", "qqqqqqq"]) == 1
    assert "lists them all" in capsys.readouterr().err


def test_unknown_family_is_an_error_that_names_the_families(capsys: pytest.CaptureFixture[str]) -> None:
    assert listing.main(["--family", "elementwide"]) == 1
    assert "no family 'elementwide'; the families are" in capsys.readouterr().err
