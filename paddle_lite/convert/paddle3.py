"""The format paddle3: a folder with `net.pdmodel` and `net.pdiparams`, and `net.json` where PaddlePaddle 3 can be asked for it.

The inference engine of PaddlePaddle 3 reads net.pdmodel. `paddle.jit.load` and `paddle.static.load_inference_model` of 3.x read
only its own form of Programs, net.json, which PaddlePaddle 3 makes from net.pdmodel.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from io import BytesIO

import numpy as np

from ..io import pickled
from ..io.state import PARAMETERS
from ..static.proto import streams
from .elsewhere import run_elsewhere
from .feeds import Feed
from .model import Model
from .newer import modern

TO = "paddle3"
STEM = "net"
PROGRAM, WEIGHTS, OWN = ".pdmodel", ".pdiparams", ".json"
HEAD = """
import sys
import numpy as np
try:
    import paddle
    from paddle.base import core
    paddle.pir.translate_to_pir
except (ImportError, AttributeError):
    sys.exit("PaddlePaddle 3 is not installed")
path = sys.argv[1]
"""
TRANSLATE = """
paddle.enable_static()
with paddle.pir_utils.OldIrGuard():
    program = paddle.static.load_inference_model(path, paddle.static.Executor(paddle.CPUPlace()))[0]
try:
    made = paddle.pir.translate_to_pir(program.desc)
except Exception as error:
    said = [line for line in str(error).splitlines() if line.strip()][-1]
    sys.exit("PaddlePaddle 3 cannot translate it: Error: " + said.split(" (at ")[0])
block = made.global_block()
for op in list(block.ops):
    if op.name() == "pd_op.feed":
        value = op.result(0)
        with block:
            data = paddle._pir_ops.data(op.attrs()["name"], value.shape, value.dtype, core.Place())
            value.replace_all_uses_with(data)
            data.get_defining_op().move_before(op)
        block.remove_op(op)
core.serialize_pir_program(made, path + ".json", True, False, True)
with open(path + ".json", "rb") as file:
    np.savez(sys.argv[3], np.frombuffer(file.read(), np.uint8))
"""
PREDICT = """
import os
from paddle import inference
given = np.load(sys.argv[2])
own = path + ".json"
config = inference.Config(own if os.path.exists(own) else path + ".pdmodel", path + ".pdiparams")
config.disable_glog_info()
predictor = inference.create_predictor(config)
for name in predictor.get_input_names():
    handle = predictor.get_input_handle(name)
    handle.copy_from_cpu(given[name])
    lods = sorted(key for key in given.files if key.startswith(name + ".lod."))
    if lods:
        handle.set_lod([given[key].tolist() for key in lods])
predictor.run()
np.savez(sys.argv[3], *[predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()])
"""


def write(model: Model, path: str, step: Callable[[str], None], python: str | None = None) -> dict[str, bytes]:
    """Return the content of each file.

    Arguments:
        model: an inference model; or a state dict, which becomes a .pdparams file that `paddle.load` reads.
        path: the folder.
        step: is told what is being done.
        python: an interpreter that has PaddlePaddle 3, which makes net.json; None for the other files only.
    """
    stem = os.path.join(path, STEM)
    if model.program is None:
        state = BytesIO()
        pickled.dump(state, dict(model.values))
        return {stem + PARAMETERS: state.getvalue()}
    program = modern(model.inference(TO))
    weights = BytesIO()
    for name in sorted({v.name for v in program.list_vars()} & set(model.values)):
        streams.write_tensor(weights, model.values[name], model.lods.get(name))
    files = {stem + PROGRAM: program.desc.serialize_to_string(), stem + WEIGHTS: weights.getvalue()}
    if python is not None:
        step("PaddlePaddle 3 translates")
        with tempfile.TemporaryDirectory() as folder:
            for suffix in (PROGRAM, WEIGHTS):
                with open(os.path.join(folder, STEM + suffix), "wb") as file:
                    file.write(files[stem + suffix])
            (own,) = run_elsewhere(f"convert --to {TO}", python, HEAD + TRANSLATE, [os.path.join(folder, STEM)], {})
        files[stem + OWN] = own.tobytes()
    return files


def run(model: Model, files: dict[str, bytes], feed: Feed, python: str | None = None) -> list[np.ndarray]:
    """Return what the inference engine of PaddlePaddle 3 gives."""
    arrays = {name: np.ascontiguousarray(tensor.array) for name, tensor in feed.items()}
    for name, tensor in feed.items():
        arrays.update({f"{name}.lod.{at}": np.asarray(level) for at, level in enumerate(tensor.lod())})
    stem = os.path.join(os.path.dirname(next(iter(files))), STEM)
    found = run_elsewhere(f"convert --to {TO} --check", python, HEAD + PREDICT, [stem], arrays)
    return [array.reshape(1) if not array.ndim else array for array in found]  # 1.8.5 has [1] where 3.x has []
