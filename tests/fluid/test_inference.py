"""The predictor of the native module. PaddlePaddle 1.8.5 gives the same names, shapes, dtypes and numbers."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    MissingFileError,
    MissingKeyError,
)
from paddle_lite.fluid.core import (
    AnalysisConfig,
    NativeConfig,
    PaddleBuf,
    PaddleDType,
    PaddleTensor,
    create_paddle_predictor,
)
from paddle_lite.fluid.inference import config as configs

X, Z = np.ones([4, 3], "float32"), np.ones([4, 2], "int64")
OUTPUTS = [[1.5, 1.5], [2.5, 2.5]]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two inputs and two outputs, as a folder with a file for each parameter, and as two files."""
    folder = tmp_path_factory.mktemp("models")
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x, z = fluid.data("x", [None, 3]), fluid.data("z", [None, 2], "int64")
        y = fluid.layers.fc(x, 2, param_attr=fluid.initializer.Constant(0.5))
        both = [y, fluid.layers.cast(z, "float32") + y]
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        fluid.io.save_inference_model(str(folder), ["x", "z"], both, exe)
        fluid.io.save_inference_model(str(folder / "files"), ["x", "z"], both, exe, None, "model", "params")
    return folder


def rows(outputs: list[Any]) -> list[list[float]]:
    return [each.as_ndarray()[0].tolist() for each in outputs]


def made(model: Path) -> list[Any]:
    """Configs that name the model in each way."""
    files = model / "files"
    buffers, native = AnalysisConfig(), NativeConfig()
    program, parameters = (files / "model").read_bytes(), (files / "params").read_bytes()
    buffers.set_model_buffer(program, len(program), parameters, len(parameters))
    native.prog_file, native.param_file = str(files / "model"), str(files / "params")
    by_parts = AnalysisConfig()
    by_parts.set_prog_file(str(files / "model"))
    by_parts.set_params_file(str(files / "params"))
    named = [AnalysisConfig(str(model)), AnalysisConfig(str(files / "model"), str(files / "params"))]
    return [*named, buffers, by_parts, native, named[0].to_native_config(), AnalysisConfig(named[0])]


@pytest.mark.parametrize("way", range(7))
def test_tensors_in_tensors_out(model: Path, way: int) -> None:
    predictor = create_paddle_predictor(made(model)[way])
    outputs = predictor.run([PaddleTensor(X), PaddleTensor(Z)])
    assert rows(outputs) == OUTPUTS and [each.shape for each in outputs] == [[4, 2]] * 2
    assert [each.name for each in outputs] == predictor.get_output_names() and outputs[0].dtype == PaddleDType.FLOAT32
    assert outputs[0].data.float_data()[:2] == [1.5, 1.5] and outputs[0].data.tolist("float32")[:1] == [1.5]


def test_inputs_by_name(model: Path) -> None:
    config = AnalysisConfig(str(model))
    config.switch_specify_input_names()
    predictor = create_paddle_predictor(config)
    assert rows(predictor.run([PaddleTensor(Z, name="z"), PaddleTensor(X, name="x")])) == OUTPUTS
    with pytest.raises(ArgumentValueError, match="the names of inputs"):
        predictor.run([PaddleTensor(Z, name="z"), PaddleTensor(X)])


def test_tensors_that_stay(model: Path) -> None:
    predictor = create_paddle_predictor(AnalysisConfig(str(model)))
    assert predictor.get_input_names() == ["x", "z"]
    assert predictor.get_input_tensor_shape() == {"x": [-1, 3], "z": [-1, 2]}
    x, z = (predictor.get_input_tensor(name) for name in "xz")
    with pytest.raises(ArgumentValueError, match="no value for x, z"):
        predictor.zero_copy_run()
    for factor in (1, 2):
        x.copy_from_cpu(factor * X)
        z.reshape([4, 2])
        z.copy_from_cpu(Z.ravel())
        assert predictor.zero_copy_run()
        out = predictor.get_output_tensor(predictor.get_output_names()[0])
        assert out.copy_to_cpu()[0].tolist() == [1.5 * factor] * 2
    assert (out.shape(), out.type(), out.lod(), x.type()) == ([4, 2], PaddleDType.FLOAT32, [], PaddleDType.FLOAT32)
    for call in (predictor.get_input_tensor, predictor.get_output_tensor):
        with pytest.raises(MissingKeyError, match="'nope', needs one of"):
            call("nope")


def test_clones_in_threads_share_parameters(model: Path) -> None:
    predictor = create_paddle_predictor(AnalysisConfig(str(model)))
    clone = predictor.clone()
    assert clone.scope() is predictor.scope() and clone.get_input_tensor("x") is not predictor.get_input_tensor("x")
    results: list[Any] = []
    inputs = [PaddleTensor(X), PaddleTensor(Z)]
    threads = [threading.Thread(target=lambda p=p: results.append(rows(p.run(inputs)))) for p in (predictor, clone)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [OUTPUTS] * 2
    assert fluid.Program.parse_from_string(clone.get_serialized_program()).num_blocks == clone.program().num_blocks


def test_the_lod_of_inputs(tmp_path: Path) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, 1], lod_level=1)
        exe = fluid.Executor(fluid.CPUPlace())
        with pytest.warns(UserWarning, match="no variable in your model"):
            fluid.io.save_inference_model(str(tmp_path), ["x"], [fluid.layers.sequence_pool(x, "sum")], exe)
    predictor = create_paddle_predictor(AnalysisConfig(str(tmp_path)))
    (out,) = predictor.run([PaddleTensor(X[:, :1], lod=[[0, 1, 4]])])
    assert out.as_ndarray().tolist() == [[1.0], [3.0]]
    tensor = predictor.get_input_tensor("x")
    tensor.set_lod([[0, 2, 4]])
    tensor.copy_from_cpu(X[:, :1])
    assert predictor.zero_copy_run() and tensor.lod() == [[0, 2, 4]]
    assert predictor.get_output_tensor(predictor.get_output_names()[0]).copy_to_cpu().tolist() == [[2.0], [2.0]]


def test_a_compiled_program_for_inference(model: Path) -> None:
    compiled = fluid.CompiledProgram(fluid.Program())._with_inference_optimize(AnalysisConfig(str(model)))
    outputs = fluid.Executor(fluid.CPUPlace()).run(compiled, feed=[PaddleTensor(X), PaddleTensor(Z)])
    assert rows(outputs) == OUTPUTS
    with pytest.raises(ArgumentTypeError, match="with_inference_optimize: config got"):
        compiled.with_inference_optimize("fast")


def test_a_predictor_without_a_gpu_runs_on_the_cpu(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configs, "is_compiled_with_cuda", lambda: False)
    config = AnalysisConfig(str(model))
    with pytest.warns(
        UserWarning, match="enable_use_gpu: no GPU can be used here, so that the predictor runs on the CPU"
    ):
        config.enable_use_gpu(100, 0)
    assert not config.use_gpu() and config.memory_pool_init_size_mb() == 0
    assert rows(create_paddle_predictor(config).run([PaddleTensor(X), PaddleTensor(Z)])) == OUTPUTS


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    config = AnalysisConfig("folder")
    defaults = (
        config.model_dir(),
        config.prog_file(),
        config.use_gpu(),
        config.ir_optim(),
        config.specify_input_name(),
    )
    assert defaults == ("folder", "", False, True, False)
    assert config.use_feed_fetch_ops_enabled() and config.cpu_math_library_num_threads() == 1
    assert not config.tensorrt_engine_enabled() and not config.mkldnn_enabled() and not config.model_from_memory()
    monkeypatch.setattr(configs, "is_compiled_with_cuda", lambda: True)
    config.enable_use_gpu(100, 1)
    assert (config.use_gpu(), config.gpu_device_id(), config.memory_pool_init_size_mb()) == (True, 1, 100)
    config.disable_gpu()
    config.switch_ir_optim(False)
    config.switch_use_feed_fetch_ops(False)
    config.set_cpu_math_library_num_threads(2)
    config.enable_memory_optim()
    config.disable_glog_info()
    copied = AnalysisConfig(config)
    assert not copied.use_gpu() and not copied.ir_optim() and not copied.use_feed_fetch_ops_enabled()
    assert copied.cpu_math_library_num_threads() == 2 and copied.glog_info_disabled()
    monkeypatch.setattr(configs, "_told", set())
    for call in (config.enable_mkldnn, config.enable_tensorrt_engine, config.enable_profile, config.switch_ir_debug):
        with pytest.warns(UserWarning, match="has no effect in paddle_lite"):
            call()


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: create_paddle_predictor("model"), ArgumentTypeError),
        (lambda: create_paddle_predictor(AnalysisConfig()), ArgumentValueError),
        (lambda: create_paddle_predictor(NativeConfig()), ArgumentValueError),
        (lambda: create_paddle_predictor(AnalysisConfig("nowhere")), MissingFileError),
        (lambda: AnalysisConfig(3), ArgumentTypeError),
        (lambda: PaddleTensor(np.ones(2)), DtypeError),
        (lambda: PaddleTensor(["a"]), ArgumentTypeError),
        (lambda: PaddleBuf(np.ones(2, "int8")), DtypeError),
    ],
)
def test_wrong_arguments(call: Any, kind: type) -> None:
    with pytest.raises(kind, match=" needs "):
        call()


def test_wrong_inputs(model: Path) -> None:
    predictor = create_paddle_predictor(AnalysisConfig(str(model)))
    with pytest.raises(ArgumentValueError, match="1 tensors, needs 2: x, z"):
        predictor.run([PaddleTensor(X)])
    with pytest.raises(ArgumentTypeError, match="needs a list of PaddleTensors"):
        predictor.run([X, Z])


def test_buffers() -> None:
    buffer = PaddleBuf(np.arange(3, dtype="int32"))
    assert (buffer.length(), buffer.int32_data(), buffer.empty()) == (12, [0, 1, 2], False)
    buffer.resize(8)
    assert buffer.int64_data() == [0, 0]
    buffer.reset([1.5])
    assert buffer.float_data() == [1.5] and PaddleBuf().empty()
    tensor = PaddleTensor()
    tensor.data, tensor.shape = PaddleBuf(np.ones(4, "float32")), [2, 2]
    assert tensor.as_ndarray().tolist() == [[1.0, 1.0]] * 2
