"""Values that no call expects, and mutations of bytes: what the fuzzers share."""

from __future__ import annotations

from random import Random

EXPRESSIONS = (
    "None", "True", "False", "0", "1", "-1", "2", "3", "7", "-2", "2**31", "-2**63", "2**63", "2**70", "0.0", "0.5", "-1.5", "1e38",
    "float('nan')", "float('inf')", "''", "'x'", "'NHWC'", "'float32'", "'int64'", "'SAME'", "b'x'", "'\\udcff'", "'a/b'", "'x' * 300",
    "[]", "[0]", "[1, 2]", "[-1]", "[2, 2]", "[1, 1, 1, 1]", "[None]", "['x']", "[1.5]", "[[1, 2], [3]]", "[0] * 40", "[2**40]", "[2**40] * 3",
    "()", "(1, 2)", "(1, 'x')", "{}", "{'x': 1}", "{1, 2}", "object()", "int", "len", "lambda *a: None", "lambda: 1/0", "range(3)",
    "iter([1])", "1j", "slice(1, None)", "Ellipsis", "NotImplemented",
    "np.ones([2, 3], 'float32')", "np.zeros([0, 3], 'float32')", "np.arange(4)", "np.array('x')", "np.array([None])", "np.float32(1)",
    "np.int64(2)", "np.bool_(True)", "np.ones([2, 3], 'float64')", "np.dtype('float16')", "np.array([1 + 2j])", "np.array(3)",
    "np.ones([1, 2, 3, 4, 5, 6, 7], 'float32')",
    "fluid.CPUPlace()", "fluid.Program()", "fluid.ParamAttr(name='w')", "fluid.ParamAttr", "fluid.initializer.Constant(1.0)",
    "fluid.regularizer.L2Decay(0.1)", "fluid.clip.GradientClipByNorm(1.0)", "fluid.optimizer.SGD(0.1)", "fluid.core.VarDesc.VarType.FP32",
    "fluid.core.VarDesc.VarType.LOD_TENSOR_ARRAY", "fluid.layers", "fluid.Executor()", "fluid.LoDTensor()",
    "VARIABLE('float32', 2, 3)", "VARIABLE('int64', 2, 3)", "VARIABLE('float32', 1)", "VARIABLE('int64', 1)", "VARIABLE('bool', 1)",
    "VARIABLE('float32', 2, 3, 4, 4)", "VARIABLE('float32', 0, 3)", "VARIABLE('float64', 2, 3)", "[VARIABLE('float32', 2, 3)]",
    "[VARIABLE('int64', 1), 'x']", "(VARIABLE('float32', 2, 3), VARIABLE('float32', 3, 2))", "VARIABLE('int32', 4, 1)",
)  # fmt: skip
"""Source of hostile values. VARIABLE(dtype, *shape) makes a Variable of the mode that is on."""


def mutated(content: bytes, draw: Random) -> bytes:
    """Return bytes with one mutation: flipped, cut, inserted, repeated, overwritten."""
    if not content:
        return draw.randbytes(8)
    at, kind = draw.randrange(len(content)), draw.randrange(8)
    if kind == 0:
        return content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :]
    if kind == 1:
        return content[:at]
    if kind == 2:
        return content[:at] + draw.randbytes(draw.choice((1, 2, 4, 8))) + content[at:]
    length = draw.choice((1, 2, 4, 8, 16, 64))
    if kind == 3:
        return content[:at] + content[at + length :]
    if kind == 4:
        return content[:at] + content[at : at + length] * draw.choice((2, 3, 50)) + content[at + length :]
    if kind == 5:
        other = draw.randrange(len(content))
        return content[:at] + content[other : other + length] + content[at + length :]
    extreme = draw.choice((b"\0", b"\xff", b"\x7f", b"\x80", b"\x01"))
    if kind == 6:
        return content[:at] + extreme * length + content[at + length :]
    return content[:at] + bytes([(content[at] + draw.choice((-1, 1))) % 256]) + content[at + 1 :]
