"""The CUDA form, as text: what it declares, and that it computes what the NumPy form does."""

import numpy as np
import pytest

from paddle_lite.kernels.codegen import CudaSpec, Pointwise
from tests.kernels.codegen_cases import CASES, GRADIENTS, TRUTHS, CProgram

ALL = CASES | GRADIENTS | TRUTHS


@pytest.mark.parametrize("key", ALL)
def test_text_computes_what_the_numpy_form_does(key):
    case = ALL[key]
    op = Pointwise(key, {"out": case.expression}, case.arrays, tuple(case.scalars))
    operands = case.operands(np.float64, 31)
    operands[0][:3] = np.nan, np.inf, -np.inf
    program = CProgram(op.cuda_spec())
    with np.errstate(all="ignore"):
        got = [program.run(*row, *case.scalars.values())[0] for row in zip(*operands, strict=True)]
    np.testing.assert_allclose(got, op.numpy(np, *operands, **case.scalars), rtol=1e-14, atol=1e-15)


def test_declarations():
    op = Pointwise(
        "op",
        {"value": "a * x if mask and flag else y", "positive": "x > 0"},
        ("x", "y", "mask"),
        ("a", "flag"),
    )
    assert op.cuda_spec() == CudaSpec(
        in_params="T in_x, T in_y, U in_mask, T in_a, bool in_flag",
        out_params="T out_value, bool out_positive",
        operation="out_value = ((in_mask != 0) && (in_flag != 0)) ? (in_a * in_x) : in_y;\nout_positive = in_x > T(0);",
        name="op",
    )


def test_names_that_cupy_or_c_reserve_do_no_harm():
    spec = Pointwise("op", {"double": "i * n + T if t > 0 else float"}, ("i", "n", "T"), ("t", "float")).cuda_spec()
    assert spec.in_params == "T in_i, T in_n, T in_T, T in_t, T in_float"
    assert spec.operation == "out_double = (in_t > T(0)) ? ((in_i * in_n) + in_T) : in_float;"


def test_shared_parts_are_computed_once():
    spec = Pointwise("op", {"a": "exp(x) * exp(x)", "b": "exp(x) + 1"}, ("x",)).cuda_spec()
    assert spec.operation == "const T t_0 = exp(in_x);\nout_a = t_0 * t_0;\nout_b = t_0 + T(1);"


def test_minimum_keeps_nan_and_infinity_is_written():
    program = CProgram(Pointwise("op", {"out": "min(x, 1e999)"}, ("x",)).cuda_spec())
    with np.errstate(all="ignore"):
        assert program.run(np.float64(3)) == [3]
        assert np.isnan(program.run(np.float64(np.nan))[0])
        assert program.run(np.float64(np.inf)) == [np.inf]


def test_without_an_array_that_counts_as_a_number_constants_are_double():
    spec = Pointwise("op", {"out": "1 if mask else 0.5"}, ("mask",)).cuda_spec()
    assert spec == CudaSpec("U in_mask", "float64 out_out", "out_out = (in_mask != 0) ? double(1) : double(0.5);", "op")
