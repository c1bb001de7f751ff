"""Operators with weights, which are layers of the module; convolutions, pooling, normalization, embeddings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ops.support.interpolation_points import interpolation_taps
from ...ops.support.window_sizes import pooling_sizes, resolve_paddings, transposed_sizes
from ..stacks import stack_of
from .call import TorchCall, converts, number, plain

LOWEST = "torch.finfo(torch.float32).min"  # the maximum of a window in the padding


def ints(call: TorchCall, name: str) -> list[int]:
    """Return numbers of an attribute."""
    return [int(n) for n in call.attr(name)]


def hint(call: TorchCall, slot: str) -> str:
    """Return the name of a layer: that of its weight without what Fluid appends."""
    return call.name(slot).split(".w_")[0].split(".b_")[0]


def first(call: TorchCall, slot: str) -> tuple[str, tuple[int, ...], bool]:
    """Return (an image with its channels on axis 1, its size, whether they were last)."""
    layout = next((call.attr(name) for name in ("data_format", "data_layout") if call.op.has_attr(name)), "NCHW")
    shape, x = call.shape(slot), call.x(slot)
    if layout in ("NHWC", "NDHWC"):
        return f"{x}.movedim(-1, 1)", shape[1:-1], True
    return x, shape[2:], False


def back(value: str, last: bool) -> str:
    """Return an image with its channels where they were."""
    return f"{value}.movedim(1, -1)" if last else value


def padded(x: str, pads: Sequence[tuple[int, int]], value: str = "") -> str:
    """Return an image with points around it."""
    flat = [p for pair in reversed(pads) for p in pair]
    return f"F.pad({x}, {tuple(flat)}{f', value={value}' if value else ''})"


def bias_of(call: TorchCall, slot: str = "Bias") -> dict[str, tuple[str, str, np.ndarray]]:
    """Return the bias of a layer: that of the operator, or of the addition behind it."""
    if call.bias is not None:
        return {"bias": (call.bias, "flat", call.model.values[call.bias].reshape(-1))}
    if call.op.has_attr(slot) or call.has(slot):
        array = call.weight(slot)
        call.need(array is not None, f"{slot} is computed")
        assert array is not None
        return {"bias": call.entry(slot, "flat", array.reshape(-1))}
    return {}


@converts("conv2d", "depthwise_conv2d", "conv3d")
def conv(call: TorchCall) -> None:
    """Convert a convolution."""
    x, size, last = first(call, "Input")
    weight = call.weight("Filter")
    call.need(weight is not None, "its filter is computed")
    assert weight is not None
    window, groups = weight.shape[2:], int(call.attr("groups"))
    if call.attr("padding_algorithm") == "SAME":
        call.need(all(n > 0 for n in size), "padding_algorithm is SAME and the size of the image is not known")
    pads, dilations = resolve_paddings(
        size,
        window,
        ints(call, "strides"),
        ints(call, "paddings"),
        call.attr("padding_algorithm"),
        ints(call, "dilations"),
    )
    even = all(before == after for before, after in pads)
    words = [str(weight.shape[1] * groups), str(weight.shape[0]), plain(window)]
    if set(ints(call, "strides")) != {1}:
        words.append(f"stride={plain(ints(call, 'strides'))}")
    if even and any(before for before, _ in pads):
        words.append(f"padding={plain([before for before, _ in pads])}")
    words += [f"dilation={plain(dilations)}"] if set(dilations) != {1} else []
    words += [f"groups={groups}"] if groups != 1 else []
    bias = bias_of(call)
    words += [] if bias else ["bias=False"]
    made = call.source.layer(
        hint(call, "Filter"), f"nn.Conv{len(window)}d({', '.join(words)})", {"weight": call.entry("Filter"), **bias}
    )
    y = back(f"{made}({x if even else padded(x, pads)})", last)
    if call.has("ResidualData"):
        y = f"{y} + {call.x('ResidualData')}"
    call.out(f"F.relu({y})" if call.op.has_attr("fuse_relu") and call.attr("fuse_relu") else y, "Output")


@converts("conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose")
def conv_transpose(call: TorchCall) -> None:
    """Convert a transposed convolution."""
    x, size, last = first(call, "Input")
    weight = call.weight("Filter")
    call.need(weight is not None, "its filter is computed")
    assert weight is not None
    window, strides, groups = weight.shape[2:], ints(call, "strides"), int(call.attr("groups"))
    asked = ints(call, "output_size")
    if asked or call.attr("padding_algorithm") == "SAME":
        call.need(all(n > 0 for n in size), "the size of the image is not known")
    pads, dilations, least = transposed_sizes(
        size, window, strides, ints(call, "paddings"), call.attr("padding_algorithm"), ints(call, "dilations")
    )
    call.need(all(before == after for before, after in pads), "its paddings differ before and behind")
    more = [want - small for want, small in zip(asked, least, strict=True)] if asked else [0] * len(window)
    words = [str(weight.shape[0]), str(weight.shape[1] * groups), plain(window), f"stride={plain(strides)}"]
    words += [f"padding={plain([p for p, _ in pads])}"] if any(p for p, _ in pads) else []
    words += [f"output_padding={plain(more)}"] if any(more) else []
    words += [f"groups={groups}"] if groups != 1 else []
    words += [f"dilation={plain(dilations)}"] if set(dilations) != {1} else []
    bias = bias_of(call)
    words += [] if bias else ["bias=False"]
    constructor = f"nn.ConvTranspose{len(window)}d({', '.join(words)})"
    made = call.source.layer(hint(call, "Filter"), constructor, {"weight": call.entry("Filter"), **bias})
    call.out(back(f"{made}({x})", last), "Output")


def linear(call: TorchCall) -> None:
    """mul or matmul with a weight, Y, as a layer."""
    weight = call.weight("Y")
    assert weight is not None
    flipped = (call.op.type == "matmul" and call.attr("transpose_Y")) or (
        call.op.type == "matmul_v2" and call.attr("trans_y")
    )
    array = weight if flipped else weight.T
    bias = bias_of(call, "none")
    words = [str(array.shape[1]), str(array.shape[0]), *([] if bias else ["bias=False"])]
    entry = call.entry("Y", "" if flipped else "transposed", np.ascontiguousarray(array))
    made = call.source.layer(hint(call, "Y"), f"nn.Linear({', '.join(words)})", {"weight": entry, **bias})
    x = call.x("X")
    if call.op.type == "mul":
        m = int(call.attr("x_num_col_dims"))
        x = x if m == call.rank("X") - 1 else f"{x}.flatten({m})"
    call.out(f"{made}({x})")


# --- normalization ------------------------------------------------------------------------------------------------------


@converts("batch_norm")
def batch_norm(call: TorchCall) -> None:
    """Convert batch_norm with the statistics of training."""
    fixed = call.attr("use_global_stats") or (call.attr("is_test") and not call.attr("trainable_statistics"))
    call.need(fixed, "it uses the statistics of the batch, as in training")
    x, _, last = first(call, "X") if call.rank() > 2 else (call.x(), (), False)
    names = {"weight": "Scale", "bias": "Bias", "running_mean": "Mean", "running_var": "Variance"}
    call.need(all(call.weight(slot) is not None for slot in names.values()), "its statistics are computed")
    count = len(call.entry("Scale")[2])
    momentum = number(1 - float(call.attr("momentum")))
    kind = {2: "1d", 3: "1d", 4: "2d", 5: "3d"}[call.rank()]
    words = f"{count}, eps={number(call.attr('epsilon'))}, momentum={momentum}"
    weights = {entry: call.entry(slot, slot) for entry, slot in names.items()}
    made = call.source.layer(hint(call, "Scale"), f"nn.BatchNorm{kind}({words})", weights)
    counter = f"{made.removeprefix('self.')}.num_batches_tracked"
    call.source.weights[counter] = np.zeros((), np.int64)
    call.out(back(f"{made}({x})", last), "Y")


@converts("layer_norm")
def layer_norm(call: TorchCall) -> None:
    """Convert the normalization over the last axes."""
    inside = call.shape()[int(call.attr("begin_norm_axis")) :]
    call.need(all(n > 0 for n in inside), "the sizes that are normalized are not known")
    shape = str(inside[0]) if len(inside) == 1 else repr(tuple(inside))
    epsilon = number(call.attr("epsilon"))
    if call.weight("Scale") is None or call.weight("Bias") is None:
        y = f"F.layer_norm({call.x()}, {list(inside)}, eps={epsilon})"
        y = f"{y} * {call.x('Scale')}.reshape({shape})" if call.has("Scale") else y
        call.out(f"{y} + {call.x('Bias')}.reshape({shape})" if call.has("Bias") else y, "Y")
        return
    weights = {
        entry: call.entry(slot, shape, call.entry(slot)[2].reshape(inside))
        for entry, slot in (("weight", "Scale"), ("bias", "Bias"))
    }
    made = call.source.layer(hint(call, "Scale"), f"nn.LayerNorm({shape}, eps={epsilon})", weights)
    call.out(f"{made}({call.x()})", "Y")


@converts("instance_norm", "group_norm")
def group_norm(call: TorchCall) -> None:
    """Convert the normalization of each image and channel, or group of channels."""
    x, size, last = first(call, "X")
    epsilon = number(call.attr("epsilon"))
    held = call.weight("Scale") is not None and call.weight("Bias") is not None
    call.need(held, "it has no scale or no bias")
    count = len(call.entry("Scale")[2])
    if call.op.type == "group_norm":
        constructor = f"nn.GroupNorm({int(call.attr('groups'))}, {count}, eps={epsilon})"
    else:
        constructor = f"nn.InstanceNorm{len(size)}d({count}, eps={epsilon}, affine=True)"
    weights = {"weight": call.entry("Scale"), "bias": call.entry("Bias")}
    made = call.source.layer(hint(call, "Scale"), constructor, weights)
    call.out(back(f"{made}({x})", last), "Y")


@converts("affine_channel")
def affine_channel(call: TorchCall) -> None:
    """x * scale + bias of each channel."""
    last = call.attr("data_layout") != "NCHW"
    index = "" if last or call.rank() == 2 else f"[:, {', '.join(['None'] * (call.rank() - 2))}]"
    call.out(f"{call.x()} * {call.x('Scale')}{index} + {call.x('Bias')}{index}")


@converts("prelu")
def prelu(call: TorchCall) -> None:
    """Convert a slope below 0."""
    mode, alpha = call.attr("mode"), call.weight("Alpha")
    if alpha is None or mode == "element":
        shape = {
            "all": [1] * call.rank(),
            "channel": [1, -1, *[1] * (call.rank() - 2)],
            "element": [1, *call.shape()[1:]],
        }
        slope = f"{call.x('Alpha')}.reshape({', '.join(map(str, shape[mode]))})"
        call.out(f"torch.where({call.x()} > 0, {call.x()}, {slope} * {call.x()})")
        return
    made = call.source.layer(
        hint(call, "Alpha"), f"nn.PReLU({alpha.size})", {"weight": call.entry("Alpha", "flat", alpha.reshape(-1))}
    )
    call.out(f"{made}({call.x()})")


@converts("lookup_table", "lookup_table_v2")
def embedding(call: TorchCall) -> None:
    """Convert the selection of rows of a table; zeros for `padding_idx`."""
    table, ids = call.weight("W"), call.x("Ids")
    ids = f"{ids}.squeeze(-1)" if call.op.type == "lookup_table" else ids
    padding = int(call.attr("padding_idx"))
    if table is None:
        call.need(padding == -1, "its table is computed and has a padding_idx")
        call.out(f"F.embedding({ids}, {call.x('W')})")
        return
    words = f"{table.shape[0]}, {table.shape[1]}"
    how = ""
    if padding != -1:
        padding += table.shape[0] if padding < 0 else 0
        call.need(padding < table.shape[0], "its padding_idx lies outside of the table")
        table, how = table.copy(), f"zeros in row {padding}"
        table[padding] = 0
        words += f", padding_idx={padding}"
    made = call.source.layer(hint(call, "W"), f"nn.Embedding({words})", {"weight": call.entry("W", how, table)})
    call.out(f"{made}({ids})")


# --- pooling, interpolation ---------------------------------------------------------------------------------------------


@converts("pool2d", "pool3d", "max_pool2d_with_index")
def pool(call: TorchCall) -> None:
    """Convert maxima or averages of windows."""
    x, size, last = first(call, "X")
    dims, indexed = len(size), call.op.type.endswith("index")
    call.need(not indexed or not call.used("Mask"), "the places of the maxima are read")
    biggest = indexed or call.attr("pooling_type") == "max"
    kind, ksize = "max" if biggest else "avg", ints(call, "ksize")
    if call.attr("global_pooling") or call.attr("adaptive"):
        out = plain([1] * dims if call.attr("global_pooling") else ksize)
        y = f"F.adaptive_{kind}_pool{dims}d({x}, {out})"
    else:
        y = strided(call, x, size, ksize, kind)
    call.out(back(y, last))


def strided(call: TorchCall, x: str, size: Sequence[int], ksize: list[int], kind: str) -> str:
    """Return the pooling by windows of one size; paddings that PyTorch does not take are made before."""
    indexed = call.op.type.endswith("index")
    strides, given = ints(call, "strides"), ints(call, "paddings")
    ceil = not indexed and bool(call.attr("ceil_mode"))
    algorithm = "EXPLICIT" if indexed else call.attr("padding_algorithm")
    if ceil or algorithm == "SAME":
        call.need(all(n > 0 for n in size), "ceil_mode or SAME, and the size of the image is not known")
    pads, _ = resolve_paddings(size, ksize, strides, given, algorithm)
    if ceil:
        _, pads, out = pooling_sizes(tuple(size), ksize, False, strides, given, False, True, algorithm)
        ends = [(o - 1) * s + k - n for o, s, k, n in zip(out, strides, ksize, size, strict=True)]
        pads = [(before, end - before) for (before, _), end in zip(pads, ends, strict=True)]
    name, steps = f"F.{kind}_pool{len(size)}d", "" if strides == ksize else f", stride={plain(strides)}"
    even = all(a == b and 0 <= a <= k // 2 for (a, b), k in zip(pads, ksize, strict=True))
    padding = f", padding={plain([a for a, _ in pads])}" if any(a for a, _ in pads) else ""
    exclusive = kind == "avg" and bool(call.attr("exclusive"))
    if even:
        count = ", count_include_pad=False" if exclusive and padding else ""
        return f"{name}({x}, {plain(ksize)}{steps}{padding}{count})"
    call.need(not exclusive or all(p < k for pair, k in zip(pads, ksize, strict=True) for p in pair),
              "a padding is as large as the window")  # fmt: skip
    wide = padded(x, pads, LOWEST if kind == "max" else "")
    made = f"{name}({wide}, {plain(ksize)}{steps})"
    if not exclusive:
        return made
    ones = padded(f"torch.ones_like({x})", pads)
    return f"({made} / {name}({ones}, {plain(ksize)}{steps}))"


INTERPOLATIONS = [
    f"{kind}_interp{version}" for kind in ("nearest", "bilinear", "bicubic", "trilinear") for version in ("", "_v2")
]


@converts(*INTERPOLATIONS)
def interpolate(call: TorchCall) -> None:
    """Convert the interpolation of images to another size."""
    x, size, last = first(call, "X")
    dims, method, corners = len(size), call.attr("interp_method"), bool(call.attr("align_corners"))
    shape = call.shape_made()
    out = [int(n) for n in (shape[1:-1] if last else shape[2:])]
    call.need(min(out) > 0, "the size of the result is not known")
    half = int(call.attr("align_mode")) == 0 or method == "bicubic"
    given = call.attr("scale")
    scales = given if isinstance(given, (list, tuple)) else []
    same = 1 not in out and (corners or all(s == int(s) for s in scales))
    if same and ((method == "nearest" and not corners) or (method != "nearest" and (corners or half))):
        flag = "" if method == "nearest" else f", align_corners={corners}"
        call.out(back(f'F.interpolate({x}, size={tuple(out)}, mode="{method}"{flag})', last))
        return
    call.need(min(size) > 0, "the size of the image is not known, and PyTorch has no such mode")
    kind = "linear" if method in ("bilinear", "trilinear") else method
    for at, (n, m) in enumerate(zip(size, out, strict=True)):
        if n == m:
            continue
        taps, step = np.zeros((n, m)), float(scales[at]) if len(scales) == dims else 0.0
        for indices, weights in interpolation_taps(
            np, n, m, np.float64, kind, corners, int(call.attr("align_mode")), step
        ):
            np.add.at(taps, (indices, np.arange(m)), 1.0 if weights is None else weights)
        matrix = call.source.parameter(f"{call.made()[0]}_axis_{at}", taps.astype(call.dtype()), trained=False)
        x = f"({x}.movedim({at + 2}, -1) @ {matrix}).movedim(-1, {at + 2})"
    call.out(back(x, last))


@converts("pixel_shuffle", "shuffle_channel")
def shuffle(call: TorchCall) -> None:
    """Convert the move of channels to places, or to another order."""
    x, _, last = first(call, "X")
    if call.op.type == "pixel_shuffle":
        call.out(back(f"F.pixel_shuffle({x}, {int(call.attr('upscale_factor'))})", last))
        return
    groups = int(call.attr("group"))
    call.out(f"{x}.unflatten(1, ({groups}, -1)).transpose(1, 2).flatten(1, 2)")


@converts("cudnn_lstm", "rnn")
def recurrent(call: TorchCall) -> None:
    """Convert a stack of recurrent layers, whose gates PyTorch has in the same order."""
    second = call.op.type == "rnn"
    call.need(not second or not call.has("SequenceLength"), "its sequences differ in length")
    names = call.names("WeightList") if second else call.names("W")
    stack = stack_of(call, [call.model.values.get(name) for name in names])
    weights = {}
    for k, each in enumerate(stack.passes):
        suffix = f"l{k // stack.ways}{'_reverse' if k % stack.ways else ''}"
        for entry, array in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), each, strict=True):
            weights[f"{entry}_{suffix}"] = (names[0], f"{entry}_{suffix}", np.ascontiguousarray(array))
    words = [str(stack.input_size), str(stack.size)]
    words += [f"num_layers={stack.layers}"] if stack.layers > 1 else []
    words += ["bidirectional=True"] if stack.ways == 2 else []
    words += ['nonlinearity="relu"'] if stack.mode == "RNN_RELU" else []
    kind = stack.mode.split("_")[0]
    made = call.source.layer(hint(call, "WeightList" if second else "W"), f"nn.{kind}({', '.join(words)})", weights)
    states = call.xs("PreState") if second else [call.x("InitH"), call.x("InitC")]
    given = states[0] if len(states) == 1 else f"({', '.join(states)})"
    lasts = call.made("State") if second else [*call.made("last_h"), *call.made("last_c")]
    arguments = f"({call.x('Input')}, {given})"
    out, *ends = (call.scope.set(name, call.op) for name in [*call.made(), *lasts])
    targets = ends[0] if len(ends) == 1 else f"({', '.join(ends)})"
    call.source.line(f"{out}, {targets} = {made}{arguments}")
