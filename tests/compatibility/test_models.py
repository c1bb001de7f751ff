"""The exchange of models: what a side writes it reads, what differs is found, and the page says what was found."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from compatibility.models.__main__ import (
    HERE_READ,
    OWN,
    PAGE,
    RESULTS,
    THERE_READ,
    differing,
    equal,
    page,
)
from compatibility.models.nets import FIELDS, NETS
from compatibility.models.side import Built, check, far, write

SOME = ("tagger", "nested_branches", "lstm_unit_in_static_rnn")
ALL = [pytest.param(name, marks=[] if name in SOME else pytest.mark.judge) for name in NETS]
FORMS = {"model", "one file", "predictor", "initialization", "startup Program"}
TRAINING = {"training", "resumed training", "training Program"}


@pytest.mark.parametrize("name", ALL)
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    write(fluid, name, str(tmp_path / name))
    found = check(fluid, name, str(tmp_path / name))
    assert found.keys() | {"one file"} == FORMS | (TRAINING if NETS[name].optimizer else set())
    assert all(not isinstance(value, str) and value < 1e-6 for value in found.values()), found


def test_a_changed_file_is_found(tmp_path: Path) -> None:
    below = tmp_path / "tagger"
    write(fluid, "tagger", str(below))
    parameter = below / "model" / "crfw"
    parameter.write_bytes(parameter.read_bytes()[:-40] + np.full(10, 9, "float32").tobytes())
    (below / "__params__").unlink()
    (below / "train.pdparams").write_bytes(b"\x80\x02}q\x00.")  # an empty dictionary
    found = check(fluid, "tagger", str(below))
    assert not equal("model", found["model"]) and isinstance(found["resumed training"], str)
    assert "one file" not in found and equal("training Program", found["training Program"])


def test_sequences_are_fed_with_their_lengths() -> None:
    built = Built(fluid, "tagger")
    assert built.feed_all["t"].recursive_sequence_lengths() == [[3, 1, 4]] and list(built.feed) == ["w"]


def test_how_far_apart() -> None:
    a = np.array([1.0, 4.0], "float32")
    assert far(a, [], a, []) == 0 and far(a + 1, [], a, []) == 0.25 and far(a[:0], [], a[:0], []) == 0
    inf = np.array([1.0, np.inf], "float32")
    assert far(inf, [], inf, []) == 0 and far(inf, [], a, []) == float("inf")
    for other in (a.astype("float64"), a.reshape(2, 1)):
        assert far(other, [], a, []) == float("inf")
    assert far(a, [[2]], a, [[1, 1]]) == float("inf")


def test_what_is_said_of_differences() -> None:
    same = {"model": 0.0, "training": 9e-5}
    results = {
        "convolutions": {OWN: {}, HERE_READ: {"model": 3e-5, "training": 9e-5}, THERE_READ: same},
        "while_loop": {OWN: {}, HERE_READ: {"model": 0.0, "training": 0.5}, THERE_READ: same},
        "tagger": {OWN: {"model": "Error: a|b"}, HERE_READ: same, THERE_READ: {"model": "Error: a|b"}},
    }
    assert differing(results) == [
        ("convolutions", "model", HERE_READ, "3e-05", ""),
        ("while_loop", "training", HERE_READ, "5e-01", NETS["while_loop"].apart),
        ("tagger", "model", THERE_READ, "Error: a|b", "1.8.5 fails at its own files, too"),
    ]
    text = page(results)
    assert "| control | 1 | 1 of 2 | 2 of 2 |" in text and "| text | 1 | 2 of 2 | 0 of 1 |" in text
    assert "| all | 3 | 4 of 6 | 4 of 5 |" in text and "\n\n3 small networks" in text
    assert "| convolutions | model | read here | not known: 3e-05 |" in text
    assert "| tagger | model | read by 1.8.5 | 1.8.5 fails at its own files, too |" in text


def test_the_page_is_of_the_kept_results() -> None:
    results = json.loads(RESULTS.read_text())
    assert list(results) == list(NETS), "run `python -m compatibility.models --fluid PYTHON` again"
    assert PAGE.read_text(encoding="utf8") == page(results)
    assert [row for row in differing(results) if not row[-1]] == []


def test_each_network_has_a_field() -> None:
    assert {entry.field for entry in NETS.values()} == set(FIELDS)
