"""Programs of later versions: operators and attributes that this version does not have are named when they would run."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import EnforceNotMet, NotYetAvailable
from paddle_lite.static.proto import AttrType, BlockData, OpData, ProgramData, VarData, from_bytes, to_bytes


def program_of(type: str, attrs: dict) -> bytes:
    """The bytes of a Program x -> y of one operator."""
    variables = [VarData(name, 7, 5, (-1, 3), 0) for name in ("x", "y")]
    op = OpData(type, {"X": ["x"]}, {"Out": ["y"]}, attrs)
    return to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=2006002))


def run(program: fluid.Program):
    exe = fluid.Executor(fluid.CPUPlace())
    return exe.run(program, feed={"x": np.float32([[1, 3, 2]])}, fetch_list=["y"])[0]


def test_an_operator_that_is_not_there() -> None:
    program = fluid.Program.parse_from_string(program_of("fused_magic", {"depth": (AttrType.LONG, 3)}))
    assert [op.type for op in program.global_block().ops] == ["fused_magic"]
    with pytest.raises(EnforceNotMet, match="fused_magic"):
        run(program)


def test_an_attribute_that_came_later() -> None:
    attrs = {
        "axis": (AttrType.LONG, 1), "flatten": (AttrType.BOOLEAN, True), "keepdims": (AttrType.BOOLEAN, True),
    }  # fmt: skip
    program = fluid.Program.parse_from_string(program_of("arg_max", attrs))
    for each in (program, program.clone(), program._prune(["y"])):
        with pytest.raises(NotYetAvailable, match="'arg_max' of a file: its attribute 'flatten' = True came after"):
            run(each)


@pytest.mark.parametrize(
    ("type", "attrs", "wanted"),
    [
        ("arg_max", {"axis": (AttrType.LONG, 1), "flatten": (AttrType.BOOLEAN, False)}, [1]),
        ("softplus", {"beta": (AttrType.FLOAT, 1.0), "threshold": (AttrType.FLOAT, 20.0)}, [[1.3132616, 3.0485873, 2.126928]]),
        ("relu", {"with_quant_attr": (AttrType.BOOLEAN, True)}, [[1, 3, 2]]),
        ("tanh", {"is_test": (AttrType.INT, 1)}, [[0.7615942, 0.9950548, 0.9640276]]),
    ],
    ids=["arg_max", "softplus", "relu", "tanh"],
)  # fmt: skip
def test_an_attribute_that_says_nothing(type: str, attrs: dict, wanted: list) -> None:
    np.testing.assert_allclose(run(fluid.Program.parse_from_string(program_of(type, attrs))), wanted, rtol=1e-6)


def test_an_input_that_came_later() -> None:
    op = OpData("relu", {"X": ["x"], "Bound": ["x"]}, {"Out": ["y"]}, {})
    variables = [VarData(name, 7, 5, (-1, 3), 0) for name in ("x", "y")]
    program = fluid.Program.parse_from_string(
        to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=2006002))
    )
    with pytest.raises(NotYetAvailable, match="'relu' of a file: its input 'Bound' came after"):
        run(program)


def test_the_gradient_of_a_later_attribute() -> None:
    op = OpData(
        "gather_grad", {"X": ["x"], "Index": ["x"], "Out@GRAD": ["x"]}, {"X@GRAD": ["y"]}, {"axis": (AttrType.INT, 1)}
    )
    variables = [VarData(name, 7, 5, (-1, 3), 0) for name in ("x", "y")]
    program = fluid.Program.parse_from_string(
        to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=2006002))
    )
    with pytest.raises(NotYetAvailable, match="'gather_grad' of a file: its attribute 'axis' = 1 came after"):
        run(program)


@pytest.mark.parametrize(
    ("type", "attrs", "match"),
    [
        ("softshrink", {"threshold": (AttrType.FLOAT, 3.0)}, "'threshold' = 3.0"),
        ("relu", {"use_softmax": (AttrType.BOOLEAN, False)}, "'use_softmax' = False"),
        ("sequence_softmax", {"align_corners": (AttrType.BOOLEAN, False)}, "'align_corners' = False"),
    ],
)
def test_values_that_nothing_expresses_are_refused(type: str, attrs: dict, match: str) -> None:
    """False and 0, too, where 1.8.5 does something else."""
    program = fluid.Program.parse_from_string(program_of(type, attrs))
    with pytest.raises(NotYetAvailable, match=match):
        run(program)


def test_numbers_that_are_text() -> None:
    """As 2.x writes those of allclose; saved again they are numbers, for 1.8.5."""
    op = OpData("allclose", {"Input": ["x"], "Other": ["x"]}, {"Out": ["y"]}, {"rtol": (AttrType.STRING, "1e-05")})
    variables = [VarData(name, 7, 5, (-1, 3), 0) for name in ("x", "y")]
    held = to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=2006002))
    program = fluid.Program.parse_from_string(held)
    assert run(program).tolist() == [True]
    (again,) = from_bytes(program.desc.serialize_to_string()).blocks[0].ops
    assert again.attrs["rtol"][0] == AttrType.FLOAT and abs(again.attrs["rtol"][1] - 1e-5) < 1e-11
    wrong = OpData("allclose", op.inputs, op.outputs, {"rtol": (AttrType.STRING, "close")})
    with pytest.raises(EnforceNotMet, match="needs the type FLOAT"):
        fluid.Program.parse_from_string(
            to_bytes(ProgramData([BlockData(0, -1, None, variables, [wrong])], version=2006002))
        )


def test_a_grid_of_another_size() -> None:
    """2.x samples to the size of the grid, 1.8.5 to that of the image."""
    attrs = {"mode": (AttrType.STRING, "bilinear"), "padding_mode": (AttrType.STRING, "zeros"), "align_corners": (AttrType.BOOLEAN, True)}  # fmt: skip
    variables = [
        VarData(*v)
        for v in (("x", 7, 5, (-1, 1, 4, 4), 0), ("g", 7, 5, (-1, 2, 3, 2), 0), ("y", 7, 5, (-1, 1, 2, 3), 0))
    ]
    op = OpData("grid_sampler", {"X": ["x"], "Grid": ["g"]}, {"Output": ["y"]}, attrs)
    program = fluid.Program.parse_from_string(
        to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=2006002))
    )
    feed = {"x": np.arange(16, dtype="float32").reshape(1, 1, 4, 4), "g": np.zeros([1, 2, 3, 2], "float32")}
    (found,) = fluid.Executor(fluid.CPUPlace()).run(program, feed=feed, fetch_list=["y"])
    np.testing.assert_allclose(found, np.full([1, 1, 2, 3], 7.5))


NUMBERS = np.array([-7, 7, -7, 7])


@pytest.mark.parametrize(
    ("type", "version", "attrs", "inputs", "wanted"),
    [
        ("elementwise_floordiv", 2006002, {}, {"X": NUMBERS, "Y": np.array([2, 2, -2, -2])}, [-4, 3, 3, -4]),
        ("elementwise_floordiv", 2004002, {}, {"X": NUMBERS, "Y": np.array([2, 2, -2, -2])}, [-3, 3, 3, -3]),
        ("elementwise_floordiv", 2006002, {}, {"X": np.float32([-7, 7]), "Y": np.float32([2, 2])}, [-4, 3]),
        ("elementwise_mod", 2006002, {}, {"X": NUMBERS, "Y": np.array([2, 2, -2, -2])}, [1, 1, -1, -1]),
        ("elementwise_mod", 1008005, {}, {"X": NUMBERS, "Y": np.array([2, 2, -2, -2])}, [-1, 1, -1, 1]),
        ("clip", 2006002, {"min": (AttrType.FLOAT, 1.5), "max": (AttrType.FLOAT, 5.5)}, {"X": NUMBERS}, [1, 5, 1, 5]),
        (
            "linspace", 2006002, {"dtype": (AttrType.INT, 6)},
            {"Start": np.float32([0]), "Stop": np.float32([2]), "Num": np.int32([3])}, [0, 1, 2],
        ),
        ("p_norm", 2006002, {"porder": (AttrType.FLOAT, np.inf), "axis": (AttrType.INT, 0)}, {"X": np.float32([-7, 5])}, [7]),
        ("p_norm", 2006002, {"porder": (AttrType.FLOAT, -np.inf), "axis": (AttrType.INT, 0)}, {"X": np.float32([-7, 5])}, [5]),
        ("reduce_sum", 2006002, {}, {"X": np.array([True, False, True])}, [2]),
        ("softplus", 2006002, {"threshold": (AttrType.FLOAT, 0.5)}, {"X": np.float32([1, 3])}, [1, 3]),
    ],
)  # fmt: skip
def test_what_operators_mean_in_their_version(type: str, version: int, attrs: dict, inputs: dict, wanted: list) -> None:
    """Rounding of quotients, the sign of remainders, integers in clip, dtypes of linspace: numbers of 2.6.2 and 1.8.5."""
    kinds = {"int64": 3, "float32": 5, "int32": 2, "bool": 0}
    variables = [VarData(slot, 7, kinds[str(a.dtype)], a.shape, 0) for slot, a in inputs.items()]
    variables.append(VarData("y", 7, attrs["dtype"][1] if "dtype" in attrs else variables[0].dtype, (-1,), 0))
    op = OpData(type, {slot: [slot] for slot in inputs}, {"Out": ["y"]}, attrs)
    program = fluid.Program.parse_from_string(
        to_bytes(ProgramData([BlockData(0, -1, None, variables, [op])], version=version))
    )
    (found,) = fluid.Executor(fluid.CPUPlace()).run(program, feed=inputs, fetch_list=["y"])
    assert found.tolist() == wanted
    dtype = next(iter(inputs.values())).dtype
    assert found.dtype == (np.float64 if "dtype" in attrs else np.int64 if dtype.kind == "b" else dtype)


@pytest.mark.parametrize(("version", "shape"), [(2006002, ()), (1008005, (1,))])
def test_a_sum_of_all_has_no_dimensions_since_2_5(version: int, shape: tuple) -> None:
    attrs = {"reduce_all": (AttrType.BOOLEAN, True)}
    variables = [VarData("x", 7, 5, (-1, 3), 0), VarData("y", 7, 5, shape, 0), VarData("z", 7, 5, shape, 0)]
    ops = [OpData("reduce_sum", {"X": ["x"]}, {"Out": ["y"]}, attrs), OpData("tanh", {"X": ["y"]}, {"Out": ["z"]}, {})]
    program = fluid.Program.parse_from_string(
        to_bytes(ProgramData([BlockData(0, -1, None, variables, ops)], version=version))
    )
    feed = {"x": np.float32([[0.5, 0.25, 0]])}
    total, found = fluid.Executor(fluid.CPUPlace()).run(program, feed=feed, fetch_list=["y", "z"])
    assert np.shape(total) == np.shape(found) == shape
    np.testing.assert_allclose(found, np.tanh(0.75), rtol=1e-6)
    assert program.lint() == []


@pytest.mark.parametrize("type", ["fused_magic", "arg_max"])
def test_the_types_of_attributes_are_kept(type: str) -> None:
    attrs = {
        "axis": (AttrType.LONG, 1), "flatten": (AttrType.BOOLEAN, True), "keepdims": (AttrType.BOOLEAN, True), "many": (AttrType.LONGS, []),
        "half": (AttrType.FLOAT64, 0.5), "names": (AttrType.STRINGS, []),
    }  # fmt: skip
    program = fluid.Program.parse_from_string(program_of(type, attrs)).clone()
    (op,) = from_bytes(program.desc.serialize_to_string()).blocks[0].ops
    assert {name: op.attrs[name] for name in attrs} == attrs
