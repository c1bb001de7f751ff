"""Hostile files of all other formats: parameters, state dicts, archives, data sets, checkpoints, models of other libraries."""

from __future__ import annotations

import functools
import gzip
import io
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.convert import import_weights, read_model
from paddle_lite.convert.weights import safetensors_bytes
from paddle_lite.core.files import pickled
from paddle_lite.dataset.archives import gunzipped, tar_files, zip_file
from paddle_lite.dataset.idx import read_idx
from paddle_lite.dataset.mat import read_mat
from paddle_lite.distributed import latest_checkpoint, load_checkpoint, save_checkpoint
from paddle_lite.distributed.data.multislot import Format, parse
from paddle_lite.distributed.data.slots import Slot
from paddle_lite.kernels.kernel_archive import import_kernels
from paddle_lite.kernels.kernel_cache import payload_of
from paddle_lite.static.proto import streams
from tests.interop import nets

from .examples import apart
from .judging import judged, limited
from .values import mutated

DATA = Path(__file__).parent.parent / "interop" / "data"


class Form(NamedTuple):
    """A format.

    name: what it is. files: the content of each file of a folder, by its path; the mutated ones first, then "" and the others.
    load: reads them from the folder. tokens: pieces that mean something in the format.
    """

    name: str
    files: dict[str, bytes]
    load: Callable[[str], Any]
    tokens: tuple[bytes, ...] = ()


OPCODES = (b"c", b"cos\nsystem\n", b"R", b"i", b"o", b"\x81", b"\x92", b"b", b"(", b")", b"t", b"l", b"d", b"}", b"]", b"s", b"u", b"a", b"e",
           b"0", b"2", b"1", b"q\0", b"h\0", b"j\xff\xff\xff\x7f", b"r\0\0\0\0", b"\x94", b"N", b"K\x01", b"J\xff\xff\xff\xff",
           b"M\xff\xff", b"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", b"X\xff\xff\xff\x7f", b"T\0\0\0\x40", b"B\0\0\0\x40",
           b"\x96\0\0\0\0\0\0\0\x40", b"P0\n", b"Q", b"\x82\x01", b"\x95\0\0\0\0\0\0\0\x01", b".", b"I01\n", b"F1e400\n", b"L99L\n")  # fmt: skip
NUMBERS = (
    b"\xff" * 8,
    b"\0" * 8,
    b"\0\0\0\0\0\0\0\x7f",
    b"\x01" + b"\0" * 7,
    b"\xff\xff\xff\x7f",
    b"\0\0\0\x80",
    b"\xff" * 4,
)
JSON = (
    b"{}",
    b"[]",
    b"null",
    b"-1",
    b"1e999",
    b'"',
    b"{",
    b"[" * 200,
    b"9" * 400,
    b'"dtype":"F64"',
    b'"data_offsets":[0,4]',
)
TEXT = (b"slots {", b"}", b'type: "uint64"', b"is_dense: true", b"shape: -1", b"shape: 99999999999", b"batch_size: -1", b'"', b"#", b"\xff",
        b"1 ", b"-1 ", b"99999999999999999999 ", b"nan ", b"\n", b"2 1")  # fmt: skip


@functools.cache
def _net() -> nets.Built:
    return nets.Built(fluid, nets.mlp)


@functools.cache
def forms() -> tuple[Form, ...]:
    """Return all formats, in a fixed order."""
    made = [*_streams(), *_states(), *_archives(), *_data(), *_checkpoints(), *_models()]
    return tuple(sorted(made, key=lambda form: form.name))


def _streams() -> list[Form]:
    folder = DATA / "tensors"
    tensors = [
        Form(f"tensor {name}", {"x": (folder / name).read_bytes()}, lambda f: streams.load_tensor(f + "/x"), NUMBERS)
        for name in ("float32", "int8", "one_level", "two_levels")
    ]
    rows = Form("rows", {"x": (folder / "rows").read_bytes()}, lambda f: streams.load_selected_rows(f + "/x"), NUMBERS)
    content = (DATA / "exchange" / "fluid" / "mlp" / "all").read_bytes()
    persistables = DATA / "exchange" / "fluid" / "mlp" / "persistables"
    several = {path.name: path.read_bytes() for path in sorted(persistables.iterdir())}
    exe = fluid.Executor()
    return [
        *tensors,
        rows,
        Form("combined", {"all": content}, lambda f: fluid.io.load_persistables(exe, f, _net().main, "all"), NUMBERS),
        Form("persistables", several, lambda f: fluid.io.load_persistables(exe, f, _net().main), NUMBERS),
        Form("program state of files", several, lambda f: fluid.load_program_state(f), NUMBERS),
    ]


def _states() -> list[Form]:
    with tempfile.TemporaryDirectory() as folder, fluid.dygraph.guard():
        net = fluid.dygraph.Linear(3, 2)
        adam = fluid.optimizer.Adam(0.1, parameter_list=net.parameters())
        fluid.layers.mean(net(fluid.dygraph.to_variable(np.ones([2, 3], "float32")))).backward()
        adam.minimize(fluid.layers.mean(net.weight))
        fluid.save_dygraph(net.state_dict(), folder + "/m")
        fluid.save_dygraph(adam.state_dict(), folder + "/m")
        ours = {name: Path(folder, name).read_bytes() for name in ("m.pdparams", "m.pdopt")}
    below = DATA / "exchange" / "fluid" / "conv_net"
    trained = {
        f"train{suffix}": (below / f"train{suffix}").read_bytes() for suffix in (".pdparams", ".pdopt", ".pdmodel")
    }
    newer = (DATA / "exchange" / "modern" / "training.pdparams").read_bytes()

    def layer(f: str) -> None:
        with fluid.dygraph.guard():
            params, opt = fluid.load_dygraph(f + "/m")
            loaded = fluid.dygraph.Linear(3, 2)
            loaded.set_dict(params)
            if opt:
                fluid.optimizer.Adam(0.1, parameter_list=loaded.parameters()).set_dict(opt)

    def model(f: str) -> None:
        built = nets.Built(fluid, nets.conv_net)
        fluid.load(built.main, f + "/train", fluid.Executor())

    def plain(f: str) -> None:
        with open(f + "/x", "rb") as file:
            pickled.read(file, "x", "")

    return [
        Form("state dict", ours, layer, OPCODES),
        Form("fluid.load", trained, model, OPCODES),
        Form("program state", trained, lambda f: fluid.load_program_state(f + "/train"), OPCODES),
        Form("state of 2.x", {"m.pdparams": newer}, lambda f: fluid.load_program_state(f + "/m"), OPCODES),
        Form("pickle", {"x": newer}, plain, OPCODES),
        Form(
            "state dict to convert",
            {"m.pdparams": ours["m.pdparams"]},
            lambda f: read_model(f + "/m.pdparams"),
            OPCODES,
        ),
    ]


def _archives() -> list[Form]:
    packed, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b"):
            archive.writestr(name, b"content " * 40)
    with tarfile.open(fileobj=tarred, mode="w:gz") as tar:
        for name in ("a", "b"):
            entry = tarfile.TarInfo(name)
            entry.size = 80
            tar.addfile(entry, io.BytesIO(b"content " * 10))
    plain = gzip.decompress(tarred.getvalue())
    images = gzip.compress(np.array([8 << 8 | 3, 2, 3, 4], ">u4").tobytes() + bytes(24))
    raw = np.array([8 << 8 | 3, 2, 3, 4], ">u4").tobytes() + bytes(24)

    def packed_idx(f: str) -> None:
        Path(f, "y").write_bytes(gzip.compress(Path(f, "x").read_bytes()))
        read_idx(f + "/y", 3)

    return [
        Form("zip", {"x": packed.getvalue()}, lambda f: zip_file(f + "/x", "a", "a zip"), NUMBERS),
        Form("tar.gz", {"x": tarred.getvalue()}, lambda f: list(tar_files(f + "/x", ".*", "a tar")), NUMBERS),
        Form("tar", {"x": plain}, lambda f: list(tar_files(f + "/x", ".*", "a tar")), NUMBERS),
        Form("gzip", {"x": images}, lambda f: gunzipped(Path(f, "x").read_bytes(), "x", "gzip"), NUMBERS),
        Form("idx.gz", {"x": images}, lambda f: read_idx(f + "/x", 3), NUMBERS),
        Form("idx", {"x": raw}, packed_idx, NUMBERS),
        Form("kernel archive", {"x": packed.getvalue()}, lambda f: import_kernels(f + "/x"), (*JSON, *NUMBERS)),
        Form("cached kernel", {"x": _kernel()}, lambda f: payload_of("x", Path(f, "x").read_bytes())),
        Form("mat", {"x": _mat()}, lambda f: read_mat(f + "/x", "a mat"), NUMBERS),
    ]


def _kernel() -> bytes:
    return b"paddle_lite kernel" + bytes(100)


def _mat() -> bytes:
    """Return a MATLAB file of version 5 with a matrix of doubles."""
    import struct

    def element(kind: int, data: bytes) -> bytes:
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)

    body = (
        element(6, struct.pack("<II", 6, 0))
        + element(5, struct.pack("<ii", 2, 2))
        + element(1, b"abc")
        + element(9, bytes(32))
    )
    return b"x" * 124 + b"\x00\x01IM" + element(14, body)


def _data() -> list[Form]:
    described = b'name: "MultiSlotDataFeed" batch_size: 2 multi_slot_desc {slots {name: "a" type: "uint64" is_dense: false is_used: true} ' \
        b'slots {name: "b" type: "float" is_dense: true is_used: true shape: -1 shape: 2}}'  # fmt: skip

    def desc(f: str) -> None:
        found = fluid.DataFeedDesc(f + "/x")
        found.set_batch_size(4)
        found.set_dense_slots(["a"])
        found.set_use_slots(["b"])
        found.desc()

    slots = Format((Slot("a", "uint64", False, True, ()), Slot("b", "float", True, True, (-1, 2))))
    lines = b"2 7 8 2 0.5 1.5\n1 9 2 1 2\n"
    return [
        Form("data feed", {"x": described}, desc, TEXT),
        Form("lines of slots", {"x": lines * 3}, lambda f: parse(Path(f, "x").read_bytes(), slots, "x", 1), TEXT),
    ]


def _folder(root: str) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(Path(root).rglob("*")) if p.is_file()}


def _checkpoints() -> list[Form]:
    built, exe = nets.Built(fluid, nets.mlp), fluid.Executor()
    with tempfile.TemporaryDirectory() as folder, fluid.scope_guard(fluid.Scope()):
        exe.run(built.startup)
        save_checkpoint(exe, folder, 3, main_program=built.main)
        files = _folder(folder)

    def load(f: str) -> None:
        latest_checkpoint(f)
        load_checkpoint(exe, f, built.main)

    said = {
        name: content for name, content in files.items() if name.rpartition("/")[2].isupper() or name.endswith(".json")
    }
    return [Form("checkpoint", {**said, "": b"", **files}, load, (*JSON, *NUMBERS))]


def _models() -> list[Form]:
    below = DATA / "exchange" / "fluid" / "mlp"
    model = {
        "net.pdmodel": (below / "net.pdmodel").read_bytes(),
        "net.pdiparams": (below / "net.pdiparams").read_bytes(),
    }
    made = [Form("model to convert", model, lambda f: read_model(f), NUMBERS)]
    if find_spec("safetensors") is not None:
        weights = safetensors_bytes({"w": np.ones([2, 3], "float32"), "b": np.ones(3)}, {"a": "b"})
        made.append(
            Form("safetensors", {"x": weights}, lambda f: import_weights(f + "/x", "safetensors"), (*JSON, *NUMBERS))
        )
    if find_spec("onnx") is not None:
        from onnx import TensorProto, helper, numpy_helper

        held = [numpy_helper.from_array(np.ones([2, 3], "float32"), "w"), numpy_helper.from_array(np.ones(3), "b")]
        node = helper.make_node("Constant", [], ["c"], value=helper.make_tensor("t", TensorProto.INT32, [2], [1, 2]))
        graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("c", TensorProto.INT32, [2])], held)
        content = helper.make_model(graph).SerializeToString()
        made.append(Form("onnx", {"x": content}, lambda f: import_weights(f + "/x", "onnx"), NUMBERS))
    return made


class Mutation(NamedTuple):
    """file: which file of the form. seed: which change of it."""

    file: str
    seed: int


def draw(form: Form, random: Random) -> list[Mutation]:
    """Return one to five mutations of the files of a form."""
    names = list(form.files)
    names = names[: names.index("")] if "" in names else names
    return [Mutation(random.choice(names), random.randrange(2**32)) for _ in range(random.choice((1, 1, 1, 2, 3, 5)))]


def _changed(content: bytes, form: Form, seed: int) -> bytes:
    random = Random(seed)
    if form.tokens and content and random.random() < 0.4:
        at, token = random.randrange(len(content)), random.choice(form.tokens)
        return content[:at] + token + content[at + random.choice((0, len(token))) :]
    return mutated(content, random)


def run(form: Form, mutations: list[Mutation]) -> str:
    """Load the files of a form with mutations; return what `judged` says of the error, "" where there is none.

    Raises:
        Ended: it ended in an error that it must not end in.
    """
    files = {name: content for name, content in form.files.items() if name}
    for each in mutations:
        files[each.file] = _changed(files[each.file], form, each.seed)
    folder = tempfile.mkdtemp()
    try:
        for name, content in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
        with apart(), limited():
            form.load(folder)
    except BaseException as error:
        return judged(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""
