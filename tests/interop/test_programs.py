"""Programs' bytes: what PaddlePaddle wrote comes back byte for byte, what is no Program is refused with its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError
from paddle_lite.static.proto import (
    AttrType,
    BlockData,
    Compatible,
    OpData,
    ProgramData,
    TensorData,
    VarData,
    attr_from_proto,
    attr_to_proto,
    from_bytes,
    messages,
    to_bytes,
)

from .generate_descriptor import FOLDER, generated

DATA = Path(__file__).parent / "data" / "programs"
FILES = sorted(path.name for path in DATA.iterdir() if path.is_file())


def read(name: str) -> ProgramData:
    return from_bytes((DATA / name).read_bytes(), name)


@pytest.mark.parametrize("name", FILES)
def test_paddle_s_programs_come_back_byte_for_byte(name: str) -> None:
    assert to_bytes(read(name)) == (DATA / name).read_bytes()


def test_the_files_are_all_there() -> None:
    nets = ("conv_net", "recurrent", "unrolled", "while_loop")
    assert [name for name in FILES if name != "modern.model"] == [
        f"{net}.{kind}" for net in nets for kind in ("main", "model", "startup")
    ]


def test_what_a_program_says() -> None:
    program = read("recurrent.main")
    (block,) = program.blocks
    assert (program.version, program.compatible, program.default_required_version) == (1008005, None, None)
    model = read("recurrent.model")
    assert model.default_required_version == "1.5.0" and Compatible("size", "1.6.0", 1) in (model.compatible or [])
    assert (block.idx, block.parent_idx, block.forward_block_idx) == (0, -1, None)
    variables = {var.name: var for var in block.vars}
    words = variables["words"]
    assert (words.type, words.dtype, words.shape, words.lod_level) == (7, 3, (-1, 1), 1)
    assert (words.persistable, words.need_check_feed, words.is_parameter) == (False, True, None)
    gradient = variables["embedding_0.w_0@GRAD"]
    assert (gradient.type, gradient.dtype, gradient.shape) == (8, 5, (20, 4))
    lookup = block.ops[0]
    assert lookup.type == "lookup_table" and lookup.inputs == {"Ids": ["words"], "W": ["embedding_0.w_0"]}
    assert lookup.attrs["is_sparse"] == (AttrType.BOOLEAN, True)
    assert lookup.attrs["padding_idx"] == (AttrType.LONG, -1)
    kinds = {var.type for name in FILES for each in read(name).blocks for var in each.vars}
    assert kinds >= {7, 8, 9, 10, 11, 12, 13, 15}
    (reader,) = (v for v in read("unrolled.startup").blocks[0].vars if v.type == 15)
    assert reader.reader == [TensorData(5, (-1, 3), 1), TensorData(3, (-1, 1), 0)]


def test_a_program_of_2_6() -> None:
    program = read("modern.model")
    (block,) = program.blocks
    assert program.version == 2006002 and program.compatible is None
    assert program.op_versions is not None and program.op_versions["set_value"] == 4
    assert {var.name: var.dtype for var in block.vars}["tmp_3"] == 22  # bfloat16
    fill = next(op for op in block.ops if op.type == "fill_constant")
    assert fill.attrs["shape"] == (AttrType.LONGS, []) and fill.attrs["value"] == (AttrType.FLOAT, 0.0)


def test_blocks_of_a_loop() -> None:
    program = read("while_loop.main")
    assert [block.parent_idx for block in program.blocks][:2] == [-1, 0]
    assert any(block.forward_block_idx == 1 for block in program.blocks)
    (loop,) = (op for op in program.blocks[0].ops if op.type == "while")
    assert loop.attrs["sub_block"] == (AttrType.BLOCK, 1)


EVERY_ATTR = [
    (AttrType.INT, -3),
    (AttrType.FLOAT, 0.5),
    (AttrType.STRING, "é"),
    (AttrType.STRING, b"\xff" * 300),
    (AttrType.INTS, [1, -1]),
    (AttrType.INTS, []),
    (AttrType.FLOATS, [0.25, -1.0]),
    (AttrType.STRINGS, ["a", ""]),
    (AttrType.BOOLEAN, False),
    (AttrType.BOOLEANS, [True, False]),
    (AttrType.BLOCK, 1),
    (AttrType.LONG, 1 << 40),
    (AttrType.BLOCKS, [1, 1]),
    (AttrType.LONGS, [1 << 40]),
    (AttrType.FLOAT64S, [0.1]),
    (AttrType.VAR, "x"),
    (AttrType.VARS, ["x", "y"]),
    (AttrType.FLOAT64, 0.1),
    (AttrType.SCALAR, 1 + 2j),
    (AttrType.SCALARS, [True, 7, 0.1, 2j]),
]


@pytest.mark.parametrize(("kind", "value"), EVERY_ATTR, ids=[f"{k.name}{i}" for i, (k, _) in enumerate(EVERY_ATTR)])
def test_each_kind_of_attribute(kind: AttrType, value: object) -> None:
    read_back = attr_from_proto(attr_to_proto("a", kind, value))
    assert read_back == (kind, value) and type(read_back[0]) is AttrType and type(read_back[1]) is type(value)
    program = ProgramData([BlockData(0, -1, ops=[OpData("any", attrs={"a": (kind, value)})]), BlockData(1, 0)])
    assert from_bytes(to_bytes(program)) == program


def test_every_kind_is_tested() -> None:
    assert {kind for kind, _ in EVERY_ATTR} == set(AttrType)


WRONG_ATTRS = [
    (AttrType.INT, 0.5),
    (AttrType.INT, 1 << 31),
    (AttrType.INTS, 3),
    (AttrType.INTS, ["a"]),
    (AttrType.STRING, 3),
    (AttrType.FLOAT, "1"),
    (AttrType.BOOLEAN, "yes"),
    (AttrType.SCALAR, "1"),
]


@pytest.mark.parametrize(("kind", "value"), WRONG_ATTRS, ids=[f"{k.name}-{v!r}" for k, v in WRONG_ATTRS])
def test_a_value_that_is_not_of_its_type(kind: AttrType, value: object) -> None:
    program = ProgramData([BlockData(0, -1, ops=[OpData("fc", attrs={"width": (kind, value)})])])
    with pytest.raises(
        ArgumentTypeError, match=rf"^fc: attribute width got .*, needs a value of the type {kind.name}\.$"
    ):
        to_bytes(program)


def test_what_later_versions_add() -> None:
    variables = [
        VarData("w", 7, 22, (2, 3), 0, True, False, True, False),
        VarData("s", 25, 25, (4,)),
        VarData("c", 30, 5, (4, 4)),
        VarData("t", 18, elements=[7, 8]),
        VarData("n", 7, 5, (1,), attrs={"color": (AttrType.INT, 3)}),
    ]
    program = ProgramData([BlockData(0, -1, vars=variables, ops=[OpData("x", is_target=True)])], None)
    program.op_versions = {"x": 2, "y": 1}
    assert from_bytes(to_bytes(program)) == program


def test_a_dtype_for_a_variable_without_a_tensor() -> None:
    program = ProgramData([BlockData(0, -1, vars=[VarData("scopes", 11, dtype=5)])])
    with pytest.raises(ArgumentValueError, match="variable scopes: dtype got 5, needs None"):
        to_bytes(program)
    with pytest.raises(ArgumentValueError, match=r"blocks\[0\].idx got 1, needs 0"):
        to_bytes(ProgramData([BlockData(1, -1)]))


def naming(block: int) -> OpData:
    """An operator whose attribute names a block."""
    return OpData("while", attrs={"sub_block": (AttrType.BLOCK, block)})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no block"),
        (b"\x80\x04\x95 a pickle", "bytes with"),
        (b"PK\x03\x04", "bytes with"),
        (b"\x0a\x00", "no value that this version knows for blocks"),
        (b"\x0a\x02\x08\x01\x10\xff", "bytes with"),
        (to_bytes(ProgramData([BlockData(0, 4)])), "block 0 in a block 4"),
        (
            to_bytes(ProgramData([BlockData(0, -1, ops=[OpData("w", attrs={"b": (AttrType.BLOCK, 1)})])])),
            "operator w's attribute b naming a block 1",
        ),
        (to_bytes(ProgramData([BlockData(0, 0)])), "block 0 in block 0, which does not come before it"),
        (to_bytes(ProgramData([BlockData(0, -1), BlockData(1, 2), BlockData(2, 0)])), "block 1 in block 2"),
        (to_bytes(ProgramData([BlockData(0, -1, ops=[naming(0)])])), "block 0 inside of itself"),
        (
            to_bytes(
                ProgramData([BlockData(0, -1), BlockData(1, 0, ops=[naming(2)]), BlockData(2, 1, ops=[naming(1)])])
            ),
            "block 1 inside of itself",
        ),
        ("text", "str 'text'"),
    ],
    ids=[
        "empty",
        "pickle",
        "zip",
        "lacking",
        "cut",
        "parent",
        "sub_block",
        "own parent",
        "later parent",
        "own block",
        "each other's blocks",
        "text",
    ],
)
def test_what_is_no_program(content: bytes, why: str) -> None:
    with pytest.raises(FileFormatError, match=r"^models/a: content got ") as raised:
        from_bytes(content, "models/a")
    assert why in str(raised.value) and "serialized ProgramDesc" in str(raised.value)


def test_a_block_whose_forward_block_is_not_there_is_refused() -> None:
    described = read("while_loop.main")
    described.blocks[-1].forward_block_idx = 77
    with pytest.raises(FileFormatError, match=r"belongs to block 77, which is not there"):
        fluid.Program.parse_from_string(to_bytes(described))


def test_an_operator_that_contradicts_its_declaration_is_named_when_it_runs() -> None:
    """It may be one that nobody runs, so that the Program can be loaded."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [None, 3], "float32")
        kept, damaged = fluid.layers.relu(x), fluid.layers.scale(x, 2.0)
    content = messages.ProgramDesc.FromString(main.desc.serialize_to_string())
    del content.blocks[0].ops[1].inputs[:]
    program = fluid.Program.parse_from_string(content.SerializeToString())
    assert program.lint() == ["block 0, operator 1 (scale): its input slot X is empty."]
    feed = {"x": np.ones((2, 3), "float32")}
    assert fluid.Executor().run(program, feed=feed, fetch_list=[kept.name])[0].tolist() == feed["x"].tolist()
    with pytest.raises(
        ArgumentValueError, match=r"scale: the Program got block 0, operator 1 .* slot X is empty, needs"
    ):
        fluid.Executor().run(program, feed=feed, fetch_list=[damaged.name])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 3000))
def test_a_truncated_file_is_refused_or_whole(cut: int) -> None:
    """Bytes cut at the end of a block or table still are a Program; anything else is an error of ours."""
    content = (DATA / "while_loop.model").read_bytes()[:-cut]
    try:
        program = from_bytes(content)
    except FileFormatError:
        return
    assert to_bytes(program) == content


def test_the_descriptor_is_made_from_the_text() -> None:
    pytest.importorskip("grpc_tools")
    assert (FOLDER / "descriptor.py").read_text() == generated()


def in_a_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_another_file_of_the_same_names_may_be_loaded() -> None:
    """PaddlePaddle registers its own messages of these names with protobuf."""
    code = """
from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorProto
file = FileDescriptorProto(name="framework.proto", package="paddle.framework.proto")
file.message_type.add(name="ProgramDesc").field.add(name="other", number=1, type=5, label=1)
descriptor_pool.Default().Add(file)
from paddle_lite.static.proto import BlockData, ProgramData, from_bytes, to_bytes
print(descriptor_pool.Default().FindMessageTypeByName("paddle.framework.proto.ProgramDesc").fields[0].name)
print(from_bytes(to_bytes(ProgramData([BlockData(0, -1)]))).version)
"""
    assert in_a_new_process(code).split() == ["other", "0"]


def test_protobuf_in_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python")
    code = f"""
from google.protobuf.internal import api_implementation
from paddle_lite.static.proto import from_bytes, to_bytes
content = open({str(DATA / "while_loop.model")!r}, "rb").read()
print(api_implementation.Type(), to_bytes(from_bytes(content)) == content)
"""
    assert in_a_new_process(code).split() == ["python", "True"]


def test_the_module_that_fluid_code_imports() -> None:
    code = """
from paddle.fluid.proto import framework_pb2
import paddle.fluid.proto.framework_pb2 as same
print(same is framework_pb2, framework_pb2.VarType.FP32, framework_pb2.AttrType.Name(framework_pb2.LONGS))
program = framework_pb2.ProgramDesc()
program.blocks.add(idx=0, parent_idx=-1).ops.add(type="relu").attrs.add(name="a", type=framework_pb2.INT, i=3)
print(framework_pb2.ProgramDesc.FromString(program.SerializeToString()) == program, framework_pb2.SCALARS)
"""
    assert in_a_new_process("import paddle_lite.compat\npaddle_lite.compat.install()" + code).split() == [
        "True", "5", "LONGS", "True", "17"
    ]  # fmt: skip


def test_protobuf_is_imported_by_the_first_conversion() -> None:
    code = """
import sys, paddle_lite, paddle_lite.fluid, paddle_lite.static.proto.convert
print(any(name.startswith("google") for name in sys.modules))
"""
    assert in_a_new_process(code) == "False"
