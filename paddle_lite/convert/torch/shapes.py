"""Shapes and places: reshaping, joining, splitting, slicing, filling, gathering, sorting."""

from __future__ import annotations

import math

from ...core.dtype import to_numpy
from ...ops.support.slices import ends_of_axes
from .call import TorchCall, converts, number


def sizes(call: TorchCall, attribute: str, tensor: str, several: str) -> list[str]:
    """Return numbers that an attribute, a tensor or a list of tensors holds, as expressions."""
    if several and call.has(several):
        return [f"int({v})" for v in call.xs(several)]
    if tensor and call.has(tensor):
        return [f"*{call.x(tensor)}.tolist()"]
    return [str(int(n)) for n in call.attr(attribute)]


@converts("reshape2", "reshape")
def reshape(call: TorchCall) -> None:
    """0 keeps a size, -1 is computed."""
    x, shape = call.x(), sizes(call, "shape", "Shape", "ShapeTensor")
    shape = [f"{x}.shape[{i}]" if n == "0" else n for i, n in enumerate(shape)]
    if shape[1:] == ["-1"] and shape[0].endswith("shape[0]"):
        call.out(f"{x}.flatten(1)")
        return
    call.out(f"{x}.reshape({', '.join(shape)})")


@converts("flatten2", "flatten", "flatten_contiguous_range")
def flatten(call: TorchCall) -> None:
    """Convert the reshape of some axes to one."""
    if call.op.type == "flatten_contiguous_range":
        start, stop = (call.axis(int(call.attr(n))) for n in ("start_axis", "stop_axis"))
        call.out(f"{call.x()}.flatten({start}{'' if stop == call.rank() - 1 else f', {stop}'})")
        return
    axis = int(call.attr("axis"))
    rows = {0: "1", 1: f"{call.x()}.shape[0]"}.get(axis, f"math.prod({call.x()}.shape[:{axis}])")
    call.out(f"{call.x()}.flatten(1)" if axis == 1 and call.rank() > 1 else f"{call.x()}.reshape({rows}, -1)")


@converts("squeeze2", "squeeze")
def squeeze(call: TorchCall) -> None:
    """Axes of one element are left out."""
    axes = [call.axis(int(a)) for a in call.attr("axes")] or list(range(call.rank()))
    axes = [a for a in dict.fromkeys(axes) if call.shape()[a] == 1]
    call.out(f"{call.x()}.squeeze({axes[0] if len(axes) == 1 else tuple(axes)})" if axes else call.x())


@converts("unsqueeze2", "unsqueeze")
def unsqueeze(call: TorchCall) -> None:
    """Axes of one element are inserted."""
    call.need(not call.has("AxesTensor") and not call.has("AxesTensorList"), "the axes are computed")
    made = call.x()
    for axis in call.attr("axes"):
        made = f"{made}.unsqueeze({int(axis)})"
    call.out(made)


@converts("transpose2", "transpose")
def transpose(call: TorchCall) -> None:
    """Axes in another order."""
    call.out(f"{call.x()}.permute({', '.join(str(int(a)) for a in call.attr('axis'))})")


@converts("concat", "stack")
def concat(call: TorchCall) -> None:
    """Convert the concatenation along an axis, or a new one."""
    call.need(not call.has("AxisTensor"), "the axis is computed")
    stacked = call.op.type == "stack"
    made = f"torch.{'stack' if stacked else 'cat'}([{', '.join(call.xs())}], dim={int(call.attr('axis'))})"
    call.out(made, "Y" if stacked else "Out")


@converts("split")
def split(call: TorchCall) -> None:
    """Convert the split into parts along an axis."""
    call.need(not call.has("AxisTensor"), "the axis is computed")
    axis, count = call.axis(int(call.attr("axis"))), len(call.made())
    parts = sizes(call, "sections", "", "SectionsTensorList")
    if not parts:
        call.outs(f"{call.x()}.chunk({count}, dim={axis})")
        return
    if "-1" in parts:
        total = call.size(call.x(), axis, call.shape()[axis])
        rest = f"{total} - {sum(int(p) for p in parts if p != '-1')}"
        parts = [(str(eval_numbers(rest)) if total.isdigit() else rest) if p == "-1" else p for p in parts]
    call.outs(f"{call.x()}.split([{', '.join(parts)}], dim={axis})")


def eval_numbers(text: str) -> int:
    """Return the difference of two numbers.

    >>> eval_numbers("7 - 3")
    4
    """
    left, _, right = text.partition(" - ")
    return int(left) - int(right)


@converts("unstack", "unbind")
def unstack(call: TorchCall) -> None:
    """Convert the split into slices along an axis, without it."""
    call.outs(f"{call.x()}.unbind({int(call.attr('axis'))})", "Y" if call.op.type == "unstack" else "Out")


@converts("slice", "strided_slice")
def sliced(call: TorchCall) -> None:
    """Convert a slice of each axis that is named."""
    axes, gone = [int(a) for a in call.attr("axes")], [int(a) for a in call.attr("decrease_axis")]
    starts, ends = (
        sizes(call, "starts", "StartsTensor", "StartsTensorList"),
        sizes(call, "ends", "EndsTensor", "EndsTensorList"),
    )
    call.need(call.variable(call.name("Input")).type != 13, "it takes elements of a LoDTensorArray")
    call.need(len(starts) == len(ends) == len(axes), "its bounds are one tensor")
    steps = ["1"] * len(axes)
    if call.op.type == "strided_slice":
        steps = sizes(call, "strides", "StridesTensor", "StridesTensorList")
        call.need(all(s.isdigit() for s in steps), "a stride is negative or computed")
    index = [":"] * call.rank("Input")
    ends = [str(e) for e in ends_of_axes(axes, starts, ends, gone)]
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        if axis in gone and step == "1":
            index[axis] = start
        else:
            start, end = "" if start == "0" else start, "" if end.isdigit() and int(end) >= 2**31 - 1 else end
            index[axis] = f"{start}:{end}" + (f":{step}" if step != "1" else "")
    while len(index) > 1 and index[-1] == ":":
        index.pop()
    made = f"{call.x('Input')}[{', '.join(index)}]"
    call.out(f"{made}.reshape(1)" if gone and len(gone) == call.rank("Input") else made)


@converts("shape")
def shape(call: TorchCall) -> None:
    """Convert the shape as int32."""
    x = call.x("Input")
    call.out(f"torch.tensor({x}.shape, dtype=torch.int32, device={x}.device)")


@converts("expand", "tile", "expand_v2", "expand_as", "expand_as_v2")
def expand(call: TorchCall) -> None:
    """Convert the repetition along each axis, or broadcasting."""
    x, type = call.x(), call.op.type
    if type in ("expand", "tile"):
        names = ("expand_times", "ExpandTimes", "expand_times_tensor")
        names = names if type == "expand" else ("repeat_times", "RepeatTimes", "repeat_times_tensor")
        times = sizes(call, *names)
        missing = 0 if times[0].startswith("*") else call.rank() - len(times)
        call.out(f"{x}.repeat({', '.join(['1'] * missing + times)})")
    elif type == "expand_as":
        target = call.x("target_tensor")
        call.out(f"{x}.repeat(*(m // n for m, n in zip({target}.shape, {x}.shape)))")
    elif type == "expand_as_v2" and call.has("Y"):
        call.out(f"{x}.expand({call.x('Y')}.shape)")
    else:
        names = ("shape", "Shape", "expand_shapes_tensor") if type == "expand_v2" else ("target_shape", "", "")
        call.out(f"{x}.expand({', '.join(sizes(call, *names))})")


@converts("reverse", "flip", "roll")
def moved(call: TorchCall) -> None:
    """Axes backwards, or moved around the ends."""
    if call.op.type == "roll":
        shifts, dims = (tuple(int(n) for n in call.attr(name)) for name in ("shifts", "dims"))
        call.out(f"torch.roll({call.x()}, {shifts}{f', {dims}' if dims else ''})")
        return
    given = call.attr("axis" if call.op.type == "reverse" else "dims")
    axes = [int(a) for a in (given if isinstance(given, (list, tuple)) else [given])]
    call.out(f"{call.x()}.flip({tuple(dict.fromkeys(call.axis(a) for a in axes))})")


@converts("pad", "pad2d", "pad3d")
def pad(call: TorchCall) -> None:
    """Convert the padding with points around."""
    flat = [int(p) for p in call.attr("paddings")]
    call.need(not call.op.inputs.get("Paddings"), "the paddings are computed")
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    mode = "constant" if call.op.type == "pad" else {"edge": "replicate"}.get(call.attr("mode"), call.attr("mode"))
    value = number(call.attr("value" if call.op.type == "pad3d" else "pad_value"))
    last = call.op.type != "pad" and call.attr("data_format") in ("NHWC", "NDHWC")
    order = pairs[::-1] if call.op.type != "pad3d" else pairs
    order = [(0, 0), *order] if last and mode == "constant" else order
    x = f"{call.x()}.movedim(-1, 1)" if last and mode != "constant" else call.x()
    words = f"{tuple(p for pair in order for p in pair)}"
    words += f', mode="{mode}"' if mode != "constant" else f", value={value}" if float(value) else ""
    made = f"F.pad({x}, {words})"
    call.out(f"{made}.movedim(1, -1)" if last and mode != "constant" else made)


# --- values -------------------------------------------------------------------------------------------------------------


@converts("fill_constant", "fill_constant_batch_size_like")
def fill(call: TorchCall) -> None:
    """Convert an array of one number."""
    dtype, text = to_numpy(call.attr("dtype")), call.attr("str_value")
    call.need(not call.op.inputs.get("ValueTensor"), "its value is computed")
    value = float(text) if text else float(call.attr("value"))
    shown = {"f": number(value), "b": str(bool(value))}.get(
        dtype.kind, str(int(value)) if math.isfinite(value) else "0"
    )
    if call.op.type == "fill_constant":
        shape = sizes(call, "shape", "ShapeTensor", "ShapeTensorList")
    else:
        shape = [str(int(n)) for n in call.attr("shape")]
        shape[int(call.attr("output_dim_idx"))] = f"{call.x('Input')}.shape[{int(call.attr('input_dim_idx'))}]"
    size = f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(shape)})"
    call.out(f"torch.full({size}, {shown}, dtype=torch.{dtype.name})")


@converts("fill_zeros_like", "fill_any_like")
def fill_like(call: TorchCall) -> None:
    """Convert an array of one number, of the shape of another array."""
    value = call.attr("value") if call.op.type == "fill_any_like" else 0
    code = int(call.attr("dtype")) if call.op.type == "fill_any_like" else -1
    dtype = call.dtype() if code < 0 else to_numpy(code)
    shown = number(value) if dtype.kind == "f" else str(int(value))
    call.out(f"torch.full_like({call.x()}, {shown}{'' if dtype == call.dtype() else f', dtype=torch.{dtype.name}'})")


@converts("assign_value")
def assign_value(call: TorchCall) -> None:
    """Convert an array from the attributes."""
    held = [call.attr(name) for name in ("bool_values", "fp32_values", "int32_values", "int64_values")]
    flat = list(next((values for values in held if values), []))
    dtype, made = to_numpy(call.attr("dtype")), [int(n) for n in call.attr("shape")]
    call.out(f"torch.tensor({flat}, dtype=torch.{dtype.name}).reshape({', '.join(map(str, made))})")


@converts("assign", "rnn_memory_helper", "print")
def assign(call: TorchCall) -> None:
    """Convert the copy of an array."""
    call.out(call.x("In" if call.op.type == "print" else "X"))


@converts("range")
def arange(call: TorchCall) -> None:
    """Convert numbers from start to end by steps."""
    call.need(call.dtype("Start").kind != "f", "it counts in floats")
    bounds = [f"{call.x(slot)}.item()" for slot in ("Start", "End", "Step")]
    call.out(f"torch.arange({', '.join(bounds)}, dtype=torch.{call.dtype_made().name})")


@converts("one_hot", "one_hot_v2")
def one_hot(call: TorchCall) -> None:
    """1 at the place that the index names."""
    call.need(not call.has("depth_tensor") and not call.attr("allow_out_of_range"), "its depth is computed")
    x = f"{call.x()}.squeeze(-1)" if call.op.type == "one_hot" else call.x()
    call.out(f"F.one_hot({x}.long(), {int(call.attr('depth'))}).to(torch.{to_numpy(call.attr('dtype')).name})")


@converts("gather", "index_select", "gather_nd", "where", "where_index", "masked_select", "index_sample")
def gather(call: TorchCall) -> None:
    """Convert the selection of elements by indices."""
    type = call.op.type
    if type == "where":
        call.out(f"torch.where({call.x('Condition')}, {call.x('X')}, {call.x('Y')})")
    elif type == "where_index":
        call.out(f"torch.nonzero({call.x('Condition')})")
    elif type == "masked_select":
        call.out(f"{call.x()}[{call.x('Mask')}]", "Y")
    elif type == "index_sample":
        call.out(f"{call.x()}.gather(1, {call.x('Index')}.long())")
    elif type == "gather_nd":
        call.out(f"{call.x()}[{call.x('Index')}.long().unbind(-1)]")
    else:
        axis = int(call.attr("dim")) if type == "index_select" else 0
        call.need(not call.op.inputs.get("Axis"), "the axis is computed")
        call.out(f"{call.x()}.index_select({axis}, {call.x('Index')}.reshape(-1))")


@converts("top_k", "top_k_v2", "argsort")
def sort(call: TorchCall) -> None:
    """Convert the largest elements, or all of them, in order."""
    axis = -1 if call.op.type == "top_k" else int(call.attr("axis"))
    if call.op.type == "argsort":
        made = f"torch.sort({call.x()}, dim={axis}, descending={bool(call.attr('descending'))}, stable=True)"
    else:
        k = f"int({call.x('K')})" if call.has("K") else str(int(call.attr("k")))
        largest = call.op.type == "top_k" or bool(call.attr("largest"))
        ordered = f"torch.sort({call.x()}, dim={axis}, descending={largest}, stable=True)"  # topk takes any of equals
        made = f"(t.narrow({axis}, 0, {k}) for t in {ordered})"
    targets = [call.scope.set(call.made(slot)[0], call.op) for slot in ("Out", "Indices")]
    call.source.line(f"{', '.join(targets)} = {made}")


@converts("arg_max", "arg_min")
def arg_extreme(call: TorchCall) -> None:
    """Convert the index of the first extreme."""
    axis, keep = int(call.attr("axis")), bool(call.attr("keepdims"))
    made = f"{call.x()}.{call.op.type.replace('_', '')}({axis}{', keepdim=True' if keep else ''})"
    made = f"{made}.reshape(1)" if not keep and call.rank() == 1 and len(call.shape_made()) else made
    dtype = call.dtype_made()
    call.out(made if dtype.name == "int64" else f"{made}.to(torch.{dtype.name})")


@converts("sequence_mask")
def sequence_mask(call: TorchCall) -> None:
    """1 before each length, 0 from there on."""
    call.need(not call.has("MaxLenTensor"), "maxlen is computed")
    x, most = call.x(), int(call.attr("maxlen"))
    steps = f"torch.arange({most if most > 0 else f'int({x}.max())'}, device={x}.device)"
    call.out(f"({steps} < {x}[..., None]).to(torch.{to_numpy(call.attr('out_dtype')).name})", "Y")
