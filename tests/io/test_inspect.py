"""`python -m paddle_lite inspect`: what it prints of models, and of what is none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.cli import main
from paddle_lite.cli.inspect import plan_report, report
from tests.static.passes import passes

MODELS = Path(__file__).parents[1] / "interop" / "data" / "exchange"
LAYERS = MODELS / "fluid" / "mlp"

MLP = """\
{file}: 6 operators

Inputs
  x  [any, 4]  float32

Outputs
  save_infer_model/scale_0.tmp_0  [any, 1]  float32

Operators
  elementwise_add  2
  mul              2
  relu             1
  scale            1

Parameters: 4 with 31 numbers, 124 B, a file for each
  fc_0.w_0  [4, 5]  float32  80 B
  fc_0.b_0  [5]     float32  20 B
  fc_1.w_0  [5, 1]  float32  20 B
  fc_1.b_0  [1]     float32  4 B
"""


def test_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    folder = LAYERS / "model"
    assert main(["inspect", str(folder)]) == 0
    assert capsys.readouterr().out == MLP.format(file=folder / "__model__")


@pytest.mark.parametrize("words", [["net"], ["net.pdmodel"], [".", "--model", "net.pdmodel"]], ids=len)
def test_a_prefix_or_a_file(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path, *rest = words
    assert main(["inspect", str(LAYERS / path), *rest]) == 0
    assert "Parameters: 4 with 31 numbers, 124 B, in net.pdiparams\n" in capsys.readouterr().out


def test_a_folder_with_one_pdmodel(tmp_path: Path) -> None:
    shutil.copy(MODELS / "modern" / "resnet.pdmodel", tmp_path / "m.pdmodel")
    lines = report(str(tmp_path), rows=2).splitlines()
    assert lines[0] == f"{tmp_path / 'm.pdmodel'}: 26 operators"
    assert [" ".join(line.split()) for line in lines[-4:]] == [
        "Parameters: 32 with 1,101 numbers, 4.3 KiB",
        "conv2d_4.w_0 [6, 6, 3, 3] float32 1.3 KiB",
        "conv2d_3.w_0 [6, 4, 3, 3] float32 864 B",
        "... and 30 smaller ones, 2.2 KiB",
    ]


def test_a_training_program_names_its_data_and_files() -> None:
    text = report(str(LAYERS / "train"))
    assert "Inputs\n  x  [any, 4]  float32\n  y  [any, 1]  float32\n" in text and "Outputs" not in text
    assert "in train.pdparams and train.pdopt\n" in text


def test_operators_that_are_not_there(tmp_path: Path) -> None:
    content = (LAYERS / "model" / "__model__").read_bytes().replace(b"\x1a\x04relu", b"\x1a\x04rulu")
    (tmp_path / "__model__").write_bytes(content)
    assert "  rulu             1  not available in this version\n" in report(str(tmp_path))


def test_blocks_and_lod() -> None:
    text = report(str(MODELS.parent / "programs" / "recurrent.model"))
    assert "  words  [any, 1]  int64  LoD of 1 level\n" in text
    assert " operators, 4 blocks\n" in report(str(MODELS.parent / "programs" / "while_loop.model"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("nowhere", "inspect: MODEL got nowhere, needs a folder"),
        (str(LAYERS), "mlp with net.pdmodel, train.pdmodel, needs one model. Name its file: --model FILE."),
        (str(MODELS), "exchange with no __model__ and no .pdmodel file, needs one model."),
        (str(LAYERS / "net.pdiparams"), "needs a serialized ProgramDesc"),
    ],
    ids=["missing", "several", "none", "foreign"],
)
def test_what_is_no_model(path: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", path]) == 1
    printed = capsys.readouterr()
    assert text in printed.err and not printed.out


PLAN = """\
{file}

Plan of 6 operators: x -> save_infer_model/scale_0.tmp_0, on the CPU

  #  kernel                          result                                 moved  FLOPs
  1  mul                             fc_0.tmp_0 [4, 5]                      224 B  160
  2  fused: elementwise_add + relu   fc_0.tmp_2 [4, 5]                      180 B  40     1 value stays inside
  3  mul                             fc_1.tmp_0 [4, 1]                      116 B  40
  4  fused: elementwise_add + scale  save_infer_model/scale_0.tmp_0 [4, 1]  36 B   4      1 value stays inside

6 operators in 4 calls: 556 B moved, 244 FLOPs (estimates from the shapes; a batch of 4)
Passes: fuse
"""


def test_the_plan_of_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    folder = LAYERS / "model"
    with passes("fuse"):
        assert main(["inspect", str(folder), "--plan", "--batch", "4"]) == 0
    assert capsys.readouterr().out == PLAN.format(file=folder / "__model__")
    assert main(["inspect", str(folder), "--plan"]) == 0
    assert "  40 x N\n" in capsys.readouterr().out


def test_the_plan_of_a_model_with_loops_and_of_one_that_trains(capsys: pytest.CaptureFixture[str]) -> None:
    text = plan_report(str(MODELS / "fluid" / "loop" / "model"))
    rounds = "read_from_array + mul + tanh + increment + write_to_array + less_than"
    assert re.search(rf"loop: while .* each round in it: {re.escape(rounds)}\n", text)
    assert "runs block 2\n" in text
    text = plan_report(str(MODELS / "modern" / "training.pdmodel"))
    assert "Plan of 20 operators: x, y -> parameters, on the CPU" in text
    assert "adam" in text


def test_there_is_no_plan_of_what_is_not_here_or_gives_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = fluid.Program()
    block = program.global_block()
    block.create_var(name="made", shape=[1], dtype="float32")
    made_up = block.desc.append_op()
    made_up.set_type("made_up")
    made_up.set_output("Out", ["made"])
    for name, each in (("unheard", program), ("empty", fluid.Program())):
        (tmp_path / f"{name}.pdmodel").write_bytes(each.desc.serialize_to_string())
    for words, said in (
        (["unheard", "--plan"], "inspect --plan: not available in this version: made_up.\n"),
        (["empty", "--plan"], "inspect: MODEL got a Program that gives nothing, needs an inference model."),
        (["empty", "--batch", "3"], "inspect: --batch got 3, needs --plan beside it"),
        (["empty", "--plan", "--batch", "0"], "inspect: --batch got 0, needs 1 or more"),
    ):
        path, *rest = words
        assert main(["inspect", str(tmp_path / path), *rest]) == 1
        assert capsys.readouterr().err.startswith(f"python -m paddle_lite {said}")
