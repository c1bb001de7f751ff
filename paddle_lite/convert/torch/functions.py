"""Functions of one array and of two, products, reductions."""

from __future__ import annotations

from ...core.dtype import to_numpy
from ...ops.support.broadcasting import aligned_shapes
from .call import TorchCall, converts, number

PLAIN = {
    "abs": "torch.abs", "acos": "torch.acos", "asin": "torch.asin", "atan": "torch.atan", "ceil": "torch.ceil",
    "cos": "torch.cos", "cosh": "torch.cosh", "erf": "torch.erf", "exp": "torch.exp", "expm1": "torch.expm1",
    "floor": "torch.floor", "log": "torch.log", "log10": "torch.log10", "log1p": "torch.log1p", "log2": "torch.log2",
    "logical_not": "torch.logical_not", "logsigmoid": "F.logsigmoid", "mish": "F.mish", "reciprocal": "torch.reciprocal",
    "relu": "F.relu", "rsqrt": "torch.rsqrt", "sigmoid": "torch.sigmoid", "sign": "torch.sign", "silu": "F.silu",
    "sin": "torch.sin", "sinh": "torch.sinh", "softplus": "F.softplus", "softsign": "F.softsign", "sqrt": "torch.sqrt",
    "square": "torch.square", "tan": "torch.tan", "tanh": "torch.tanh", "tanh_shrink": "F.tanhshrink",
    "isnan_v2": "torch.isnan", "isinf_v2": "torch.isinf", "isfinite_v2": "torch.isfinite",
}  # fmt: skip
WITH_NUMBERS = {
    "leaky_relu": ("F.leaky_relu", {"negative_slope": "alpha"}), "elu": ("F.elu", {"alpha": "alpha"}),
    "celu": ("F.celu", {"alpha": "alpha"}), "softshrink": ("F.softshrink", {"lambd": "lambda"}),
    "hard_shrink": ("F.hardshrink", {"lambd": "threshold"}), "brelu": ("torch.clamp", {"min": "t_min", "max": "t_max"}),
}  # fmt: skip
OPERATORS = {
    "elementwise_add": "+", "elementwise_sub": "-", "elementwise_mul": "*", "elementwise_pow": "**",
    "equal": "==", "not_equal": "!=", "less_than": "<", "less_equal": "<=", "greater_than": ">", "greater_equal": ">=",
    "minus": "-",
}  # fmt: skip
CALLS = {
    "elementwise_max": "torch.maximum", "elementwise_min": "torch.minimum", "logical_and": "torch.logical_and",
    "logical_or": "torch.logical_or", "logical_xor": "torch.logical_xor",
}  # fmt: skip
REDUCE = {
    "reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "amax", "reduce_min": "amin", "reduce_all": "all",
    "reduce_any": "any", "logsumexp": "logsumexp",
}  # fmt: skip


@converts(*PLAIN)
def plain(call: TorchCall) -> None:
    """Convert functions without attributes."""
    call.need(call.dtype().kind in "fb" or call.op.type in ("abs", "sign", "square"), f"its input is {call.dtype()}")
    call.need(call.op.type != "mish" or call.attr("threshold") >= 20, "its threshold is below 20")
    call.out(f"{PLAIN[call.op.type]}({call.x()})")


@converts(*WITH_NUMBERS)
def with_numbers(call: TorchCall) -> None:
    """Convert functions whose attributes are numbers."""
    name, arguments = WITH_NUMBERS[call.op.type]
    call.out(f"{name}({call.x()}, {', '.join(f'{k}={number(call.attr(v))}' for k, v in arguments.items())})")


@converts("relu6", "hard_sigmoid", "hard_swish", "clip")
def clipped(call: TorchCall) -> None:
    """Convert a line between two bounds."""
    x, type = call.x(), call.op.type
    if type == "relu6":
        call.out(f"torch.clamp({x}, 0.0, {number(call.attr('threshold'))})")
    elif type == "hard_sigmoid":
        call.out(f"torch.clamp({number(call.attr('slope'))} * {x} + {number(call.attr('offset'))}, 0.0, 1.0)")
    elif type == "hard_swish":
        gate = f"torch.clamp({x} + {number(call.attr('offset'))}, 0.0, {number(call.attr('threshold'))})"
        call.out(f"{x} * {gate} / {number(call.attr('scale'))}")
    else:
        call.need(not call.has("Min") and not call.has("Max"), "its bounds are computed")
        call.out(f"torch.clamp({x}, {number(call.attr('min'))}, {number(call.attr('max'))})")


@converts("selu", "swish", "gelu", "stanh", "thresholded_relu", "soft_relu", "pow", "round")
def others(call: TorchCall) -> None:
    """Convert functions that PyTorch computes by several of its own."""
    x, type = call.x(), call.op.type
    if type == "selu":
        alpha, scale = number(call.attr("alpha")), number(call.attr("scale"))
        call.out(f"{scale} * F.elu({x}, {alpha})")
    elif type == "swish":
        beta = number(call.attr("beta"))
        call.out(f"F.silu({x})" if beta == "1.0" else f"{x} * torch.sigmoid({beta} * {x})")
    elif type == "gelu":
        call.out(f'F.gelu({x}, approximate="tanh")' if call.attr("approximate") else f"F.gelu({x})")
    elif type == "stanh":
        call.out(f"{number(call.attr('scale_b'))} * torch.tanh({number(call.attr('scale_a'))} * {x})")
    elif type == "thresholded_relu":
        call.out(f"F.threshold({x}, {number(call.attr('threshold'))}, 0.0)")
    elif type == "soft_relu":
        bound = number(call.attr("threshold"))
        call.out(f"F.softplus(torch.clamp({x}, -{bound}, {bound}))")
    elif type == "round":
        call.out(f"torch.sign({x}) * torch.floor(torch.abs({x}) + 0.5)")
    else:
        call.need(
            not call.has("FactorTensor") and call.dtype().kind == "f", "its factor is computed, or its input no float"
        )
        call.out(f"{x} ** {number(call.attr('factor'))}")


@converts("softmax", "log_softmax")
def softmax(call: TorchCall) -> None:
    """Convert softmax along one axis."""
    call.out(f"torch.{call.op.type}({call.x()}, dim={int(call.attr('axis'))})")


@converts("scale")
def scale(call: TorchCall) -> None:
    """scale * x + bias."""
    call.need(not call.has("ScaleTensor"), "its scale is computed")
    x, whole = call.x(), call.dtype().kind != "f"
    factor, bias = (call.attr(n) if not whole else int(call.attr(n)) for n in ("scale", "bias"))
    shown = [repr(v) if whole else number(v) for v in (factor, bias)]
    if bias == 0:
        call.out(x if factor == 1 else f"{x} * {shown[0]}")
    elif factor == 1:
        call.out(f"{x} + {shown[1]}")
    elif call.attr("bias_after_scale"):
        call.out(f"{x} * {shown[0]} + {shown[1]}")
    else:
        call.out(f"({x} + {shown[1]}) * {shown[0]}")


@converts("dropout")
def dropout(call: TorchCall) -> None:
    """Convert dropout to a layer that does nothing in inference, or to a product with 1 - p."""
    p = float(call.attr("dropout_prob"))
    if call.attr("dropout_implementation") == "upscale_in_train":
        layer = call.source.layer("dropout", f"nn.Dropout({number(p)})", {})
        call.out(f"{layer}({call.x()})")
    else:
        call.out(f"{call.x()} * {number(1 - p)}")


# --- two arrays -------------------------------------------------------------------------------------------------------


def operands(call: TorchCall) -> tuple[str, str]:
    """Return X and Y, indexed so that PyTorch broadcasts them as `axis` demands."""
    axis = int(call.attr("axis")) if call.op.has_attr("axis") else -1
    shapes = call.shape("X"), call.shape("Y")
    wide = aligned_shapes(call.op.type, *shapes, axis)
    found = [_widened(call, call.x(slot), *each) for slot, *each in zip("XY", shapes, wide, strict=True)]
    return found[0], found[1]


def _widened(call: TorchCall, value: str, shape: tuple[int, ...], wide: tuple[int, ...]) -> str:
    missing = len(wide) - len(shape)
    first = next((i for i in range(missing + 1) if tuple(wide[i : i + len(shape)]) == shape), None)
    if first is None:
        call.need(sum(n < 0 for n in wide) <= 1, "the sizes of the smaller operand are not known")
        return f"{value}.reshape({', '.join(map(str, wide))})"
    behind = missing - first
    if not behind:
        return value
    return f"{value}[{', '.join(['None'] * first + [':'] * len(shape) + ['None'] * behind)}]"


@converts(*OPERATORS)
def operator(call: TorchCall) -> None:
    """Convert an operator to one of Python."""
    x, y = operands(call)
    call.out(f"{x} {OPERATORS[call.op.type]} {y}")


@converts("elementwise_div", "elementwise_floordiv", "elementwise_mod")
def divided(call: TorchCall) -> None:
    """Convert quotients and remainders: of integers towards 0, as in 1.8.5."""
    x, y = operands(call)
    floats = call.dtype().kind == "f"
    if call.op.type == "elementwise_mod":
        call.out(f"torch.{'remainder' if floats else 'fmod'}({x}, {y})")
    elif call.op.type == "elementwise_div" and floats:
        call.out(f"{x} / {y}")
    else:
        call.out(f'torch.div({x}, {y}, rounding_mode="trunc")')


@converts(*CALLS)
def function(call: TorchCall) -> None:
    """Convert an operator to a function of PyTorch."""
    x, y = operands(call)
    call.out(f"{CALLS[call.op.type]}({x}, {y})")


@converts("sum")
def added(call: TorchCall) -> None:
    """Convert the sum of one array or more."""
    call.out(" + ".join(call.xs()))


@converts("increment")
def increment(call: TorchCall) -> None:
    """x + step."""
    step = call.attr("step")
    call.out(f"{call.x()} + {number(step) if call.dtype().kind == 'f' else int(step)}")


@converts("cast")
def cast(call: TorchCall) -> None:
    """Convert the cast to another dtype."""
    call.out(f"{call.x()}.to(torch.{to_numpy(call.attr('out_dtype')).name})")


@converts("matmul", "matmul_v2", "bmm")
def matmul(call: TorchCall) -> None:
    """Convert a product of matrices."""
    names = ("transpose_X", "transpose_Y") if call.op.type == "matmul" else ("trans_x", "trans_y")
    sides = []
    for slot, name in zip("XY", names, strict=True):
        flip = call.op.type != "bmm" and call.attr(name)
        call.need(not flip or call.rank(slot) > 1, f"it transposes a vector, {slot}")
        sides.append(f"{call.x(slot)}.transpose(-1, -2)" if flip else call.x(slot))
    out = " @ ".join(sides)
    if call.rank("X") == call.rank("Y") == 1 and len(call.shape_made()):
        out = f"({out}).reshape(1)"
    batches = [call.shape(slot)[:-2] for slot in "XY"]
    fits = not all(batches) or len(batches[0]) == len(batches[1]) or call.op.type == "matmul_v2"
    call.need(fits, "its batches have other shapes")
    alpha = call.attr("alpha") if call.op.type == "matmul" else 1
    call.out(out if alpha == 1 else f"{out} * {number(alpha)}")


@converts("mul")
def mul(call: TorchCall) -> None:
    """Convert a product of arrays flattened to matrices."""
    m, n, x, y = int(call.attr("x_num_col_dims")), int(call.attr("y_num_col_dims")), call.x("X"), call.x("Y")
    if call.rank("Y") == 2 and m == call.rank("X") - 1:
        call.out(f"{x} @ {y}")
        return
    shape = f"{x}.shape[:{m}] + {y}.shape[{n}:]"
    left = f"{x}.flatten({m}).flatten(0, {m - 1})" if call.rank("X") > 2 else x
    right = f"{y}.flatten({n}).flatten(0, {n - 1})" if call.rank("Y") > 2 else y
    call.out(f"({left} @ {right}).reshape({shape})")


# --- reductions -------------------------------------------------------------------------------------------------------


@converts(*REDUCE)
def reductions(call: TorchCall) -> None:
    """Convert reductions over some axes, or all."""
    type = call.op.type
    given = call.attr("axis" if type == "logsumexp" else "dim")
    keep = bool(call.attr("keepdim" if type == "logsumexp" else "keep_dim"))
    axes = [call.axis(int(a)) for a in (given if isinstance(given, (list, tuple)) else [given])]
    everything = call.attr("reduce_all") or len(set(axes)) == call.rank()
    axes = list(range(call.rank())) if everything else axes
    dims = str(axes[0]) if len(axes) == 1 else repr(tuple(axes))
    made = f"{call.x()}.{REDUCE[type]}({dims}{', keepdim=True' if keep else ''})"
    if type in ("reduce_all", "reduce_any") and len(axes) > 1:
        call.need(everything, "it reduces several axes, but not all")
        made = f"{call.x()}.{REDUCE[type]}()"
        made = f"{made}.reshape({', '.join(['1'] * call.rank())})" if keep else made
    if everything and not keep and len(call.shape_made()) == 1:
        made = f"{made}.reshape(1)"
    call.need(type != "reduce_mean" or call.dtype().kind == "f", f"its input is {call.dtype()}")
    call.out(of_dtype(call, made))


def of_dtype(call: TorchCall, made: str) -> str:
    """Return a reduction as the dtype of the result: PyTorch adds small integers as int64."""
    dtype = call.dtype_made()
    same = dtype == call.dtype() and (dtype.kind in "fb" or dtype.name == "int64")
    return made if same else f"{made}.to(torch.{dtype.name})"


@converts("reduce_prod")
def product(call: TorchCall) -> None:
    """Convert a product of all elements, axis by axis."""
    given, keep = call.attr("dim"), bool(call.attr("keep_dim"))
    axes = [call.axis(int(a)) for a in (given if isinstance(given, (list, tuple)) else [given])]
    everything = call.attr("reduce_all") or len(set(axes)) == call.rank()
    made = call.x()
    for axis in sorted(range(call.rank()) if everything else axes, reverse=True):
        made = f"{made}.prod({axis}{', keepdim=True' if keep else ''})"
    made = f"{made}.reshape(1)" if everything and not keep and len(call.shape_made()) == 1 else made
    call.out(of_dtype(call, made))


@converts("mean")
def mean(call: TorchCall) -> None:
    """Convert the mean of all elements."""
    call.out(f"{call.x()}.mean().reshape(1)" if len(call.shape_made()) else f"{call.x()}.mean()")


@converts("cumsum")
def cumsum(call: TorchCall) -> None:
    """Convert the sums of all elements up to each one."""
    call.need(not call.attr("exclusive") and not call.attr("reverse"), "it is exclusive or backwards")
    call.out(of_dtype(call, f"torch.cumsum({call.x()}, {int(call.attr('axis'))})"))


@converts("norm", "p_norm", "squared_l2_norm")
def norms(call: TorchCall) -> None:
    """Convert the lengths of vectors."""
    x, type = call.x(), call.op.type
    if type == "squared_l2_norm":
        call.out(f"{x}.square().sum().reshape(1)")
    elif type == "norm":
        axis = int(call.attr("axis"))
        call.out(f"{x} / torch.sqrt({x}.square().sum({axis}, keepdim=True) + {number(call.attr('epsilon'))})")
    else:
        keep = bool(call.attr("keepdim"))
        call.need(keep or call.rank() > 1, "it reduces a vector")
        call.out(f"{x}.norm({number(call.attr('porder'))}, {int(call.attr('axis'))}, keepdim={keep})")


@converts("cos_sim")
def cos_sim(call: TorchCall) -> None:
    """Convert the cosine between rows of X and Y."""
    rows = [f"{call.x(slot)}.flatten(1)" if call.rank(slot) > 2 else call.x(slot) for slot in "XY"]
    call.out(f"F.cosine_similarity({', '.join(rows)}, dim=1)[:, None]")
