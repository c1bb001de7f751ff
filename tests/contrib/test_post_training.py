"""Quantization of saved models: integer weights in files, and wrong calls. The models and numbers are in tests/behaviour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.contrib.slim.quantization.kl_threshold import kl_threshold
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, MissingFileError

slim = fluid.contrib.slim.quantization
PLACE = fluid.CPUPlace()


@pytest.fixture
def model(tmp_path: Path) -> str:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        out = fluid.layers.fc(fluid.data("x", [None, 3]), 2)
    exe = fluid.Executor(PLACE)
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        fluid.io.save_inference_model(str(tmp_path / "model"), ["x"], [out], exe, main)
    return str(tmp_path / "model")


def test_a_model_with_integer_weights_is_smaller_and_is_not_run(model: str, tmp_path: Path) -> None:
    slim.WeightQuantization(model).quantize_weight_to_int(str(tmp_path / "out"))
    folder = tmp_path / "out" / "quantized_model"
    assert not (tmp_path / "out" / "test_model").exists()
    assert (Path(model) / "fc_0.w_0").stat().st_size - (folder / "fc_0.w_0").stat().st_size == 3 * 6
    exe, scope = fluid.Executor(PLACE), fluid.Scope()
    with fluid.scope_guard(scope):
        program, _, fetches = fluid.io.load_inference_model(str(folder), exe)
        assert np.array(scope.find_var("fc_0.w_0").get_tensor()).dtype == np.int8
        with pytest.raises(DtypeError, match=r"Input\(Y\) got dtype int8"):
            exe.run(program, feed={"x": np.ones([1, 3], "float32")}, fetch_list=fetches)


@pytest.mark.parametrize(
    ("draw", "recorded"),
    [
        (lambda r: np.abs(r.randn(4000)), 3.308455171645619),
        (lambda r: np.maximum(r.randn(1000), 0), None),
        (lambda r: np.zeros(5), 0.500244140625),
    ],
)
def test_threshold(draw: Any, recorded: float | None) -> None:
    """The numbers are those of PaddlePaddle 1.8.5."""
    values = draw(np.random.RandomState(0)).astype("float32")
    found = kl_threshold(values)
    if recorded is None:
        assert 0.7 * values.max() <= found <= values.max()
    else:
        assert found == pytest.approx(recorded, rel=1e-6)


@pytest.mark.parametrize(
    ("seed", "size", "recorded"),
    [(101, 100, 17.707511044107378), (103, 1500, 31.114332663826644), (107, 1500, 50.20147178135812)],
)
def test_the_first_threshold_that_is_tried_may_be_the_best(seed: int, size: int, recorded: float) -> None:
    """The thresholds are those of PaddlePaddle 1.8.5."""
    values = np.abs((np.random.RandomState(seed).normal(0, 1, size) ** 3).astype("float32"))
    assert kl_threshold(values) == pytest.approx(recorded, rel=1e-6)


def reader() -> Any:
    yield (np.ones(3, "float32"),)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"executor": None}, "executor got None"),
        ({"model_dir": None}, "model_dir got None"),
        ({"sample_generator": None}, "sample_generator got None"),
        ({"batch_size": 0}, "batch_size got 0"),
        ({"algo": "x"}, "algo got 'x', needs one of"),
        ({"quantizable_op_type": ["x"]}, "quantizable_op_type got 'x'"),
        ({"activation_quantize_type": "x"}, "activation_quantize_type got 'x'"),
        ({"weight_quantize_type": "range_abs_max"}, "weight_quantize_type got 'range_abs_max'"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], text: str) -> None:
    given = {"executor": fluid.Executor(PLACE), "model_dir": "model", "sample_generator": reader, **arguments}
    with pytest.raises(ArgumentValueError, match=text):
        slim.PostTrainingQuantization(**given)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"quantizable_op_type": ["relu"]}, "quantizable_op_type got 'relu'"),
        ({"weight_bits": 4}, "weight_bits got 4"),
        ({"weight_quantize_type": "x"}, "weight_quantize_type got 'x'"),
    ],
)
def test_wrong_arguments_for_weights(arguments: dict[str, Any], text: str, model: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentValueError, match=text):
        slim.WeightQuantization(model).quantize_weight_to_int(str(tmp_path), **arguments)


def test_a_model_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="a folder with a saved model"):
        slim.WeightQuantization(tmp_path / "nowhere").quantize_weight_to_int(str(tmp_path))
    with pytest.raises(ArgumentTypeError, match="model_dir got None"):
        slim.WeightQuantization(None)
