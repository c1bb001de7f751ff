"""Control flow: loops, branches, recurrences, arrays of tensors."""

from __future__ import annotations

import numpy as np
from onnx import ValueInfoProto, helper

from ...core.dtype import VarType, to_numpy
from ..blocks import written_outside
from .call import INT64, OnnxCall, converts
from .graph import Graph, onnx_type
from .walk import convert_block


def typed(call: OnnxCall, name: str, value: str) -> ValueInfoProto:
    """Return the type of a Variable under the name of an ONNX value; sizes are left open, for loops may change them."""
    variable = call.variable(name)
    element = onnx_type(to_numpy(variable.dtype))
    if variable.type == VarType.LOD_TENSOR_ARRAY:
        return helper.make_tensor_sequence_value_info(value, element, None)
    return helper.make_tensor_value_info(value, element, None)


def initial(call: OnnxCall, name: str) -> str:
    """Return the value of a Variable before a loop or branch: an empty one where it has none yet."""
    found = call.graph.find(name)
    return found if found is not None else empty(call, call.graph, name)


def empty(call: OnnxCall, graph: Graph, name: str) -> str:
    """Return a value for a Variable that has none: an array without tensors, a tensor without elements."""
    variable = call.variable(name)
    dtype = to_numpy(variable.dtype)
    if variable.type == VarType.LOD_TENSOR_ARRAY:
        return graph.node("SequenceEmpty", [], hint=name, dtype=onnx_type(dtype))[0]
    return graph.constant(np.zeros([max(int(n), 0) for n in variable.shape], dtype))


def result(graph: Graph, value: str, name: str) -> str:
    """Return a value as an output of a body, which a node of the body must make."""
    own = {made for node in graph.nodes for made in node.output}
    return value if value in own else graph.node("Identity", [value], hint=name)[0]


def without_lengths(call: OnnxCall, names: list[str]) -> None:
    """Raise if a Variable has sequences, whose lengths a loop or branch would have to hand on."""
    for name in names:
        call.need(call.graph.find_lengths(name) is None, f"{name}, which it writes, has a LoD")


@converts("while")
def loop(call: OnnxCall) -> None:
    """Loop: it hands on the Variables that its block writes."""
    block, condition = call.op._block_attr("sub_block"), call.name("Condition")
    listed = set(call.made())
    carried = [n for n in written_outside(block) if n != condition and (call.graph.find(n) is not None or n in listed)]
    without_lengths(call, carried)
    body, names = Graph(call.graph), call.graph.names
    counter, going = names.fresh(f"{condition}/turn"), names.fresh(f"{condition}/going")
    inputs = [
        helper.make_tensor_value_info(counter, onnx_type(INT64), []),
        helper.make_tensor_value_info(going, onnx_type(bool), []),
    ]
    for name in carried:
        body.values[name] = names.fresh(f"{name}/before")
        inputs.append(typed(call, name, body.values[name]))
    body.values[condition] = body.node("Reshape", [going, call.ints(1)], hint=condition)[0]
    convert_block(block, body)
    again = body.find(condition)
    assert again is not None
    ends = [body.node("Reshape", [again, call.constant(np.zeros(0), INT64)], hint=condition)[0]]
    outputs = [helper.make_tensor_value_info(ends[0], onnx_type(bool), [])]
    for name in carried:
        value = body.find(name)
        assert value is not None
        ends.append(result(body, value, name))
        outputs.append(typed(call, name, ends[-1]))
    starts = [initial(call, name) for name in carried]
    graph = body.proto(names.fresh("loop"), inputs, outputs)
    found = call.nodes("Loop", len(carried), "", call.scalar(call.x("Condition")), *starts, body=graph)
    for name, value in zip(carried, found, strict=True):
        call.graph.set(name, value)
    call.graph.set(condition, call.constant([False], bool))


@converts("conditional_block", "conditional_block_infer")
def conditional(call: OnnxCall) -> None:
    """If: what its block writes keeps its value where the block does not run."""
    block = call.op._block_attr("sub_block")
    if not call.attr("is_scalar_condition"):
        inline(call)
        return
    made = [n for n in written_outside(block) if call.graph.find(n) is not None or n in call.made()]
    if not made:
        return
    without_lengths(call, made)
    then, other, names = Graph(call.graph), Graph(call.graph), call.graph.names
    convert_block(block, then)
    branches = []
    for graph, title in ((then, "then"), (other, "else")):
        ends = []
        for name in made:
            value = graph.find(name)
            value = empty(call, graph, name) if value is None else value
            ends.append(result(graph, value, name))
        outputs = [typed(call, name, end) for name, end in zip(made, ends, strict=True)]
        branches.append(graph.proto(names.fresh(title), [], outputs))
    condition = call.scalar(call.x("Cond"))
    found = call.nodes("If", len(made), condition, then_branch=branches[0], else_branch=branches[1])
    for name, value in zip(made, found, strict=True):
        call.graph.set(name, value)


def inline(call: OnnxCall) -> None:
    """Convert a block that runs where its inputs have elements: it gives none where they have none, so it may always run."""
    convert_block(call.op._block_attr("sub_block"), call.graph)


@converts("select_input")
def select_input(call: OnnxCall) -> None:
    """Convert the choice of the input that a number names."""
    values, names = call.xs(), call.graph.names
    mask, found = call.x("Mask"), values[0]
    for at, value in enumerate(values[1:], 1):
        hit = call.scalar(call.node("Equal", mask, call.constant([at], call.dtype("Mask"))))
        branches = []
        for chosen in (value, found):
            graph = Graph(call.graph)
            end = result(graph, chosen, call.made()[0])
            branches.append(graph.proto(names.fresh("chosen"), [], [typed(call, call.made()[0], end)]))
        found = call.node("If", hit, then_branch=branches[0], else_branch=branches[1])
    call.out(found)


@converts("recurrent")
def recurrent(call: OnnxCall) -> None:
    """Scan: a StaticRNN."""
    block, names = call.op._block_attr("sub_block"), call.graph.names
    sequences, states = call.names("inputs"), call.names("initial_states")
    before, after = call.attr("ex_states"), call.attr("states")
    body = Graph(call.graph)
    inputs = []
    for name in [*before, *sequences]:
        body.values[name] = names.fresh(f"{name}/step")
        inputs.append(typed_inside(block, name, body.values[name]))
    convert_block(block, body)
    made, ends, outputs = call.made("outputs"), [], []
    for name in [*after, *made]:
        value = body.find(name)
        call.need(value is not None, f"its block does not make {name}")
        ends.append(
            result(body, str(value), name) if str(value) not in ends else body.node("Identity", [str(value)])[0]
        )
        outputs.append(typed_inside(block, name, ends[-1]))
    direction = int(bool(call.attr("reverse")))
    found = call.nodes(
        "Scan", len(ends), *[call.value(n) for n in [*states, *sequences]],
        body=body.proto(names.fresh("scan"), inputs, outputs), num_scan_inputs=len(sequences),
        scan_input_directions=[direction] * len(sequences), scan_output_directions=[direction] * len(made),
    )  # fmt: skip
    for at, value in enumerate(found[len(after) :]):
        call.out(value, "outputs", at)


def typed_inside(block, name: str, value: str) -> ValueInfoProto:  # type: ignore[no-untyped-def]
    """Return the type of a step of a Variable."""
    return helper.make_tensor_value_info(value, onnx_type(to_numpy(block.variable(name).dtype)), None)


# --- rows by a mask -----------------------------------------------------------------------------------------------------


@converts("split_lod_tensor")
def split_rows(call: OnnxCall) -> None:
    """Convert the split into the rows where a mask holds, and the others."""
    call.need(call.graph.find_lengths(call.name()) is None, "it splits sequences")
    mask = call.reshape(call.x("Mask"), -1)
    call.out(call.node("Compress", call.x(), mask, axis=0), "OutTrue")
    call.out(call.node("Compress", call.x(), call.node("Not", mask), axis=0), "OutFalse")


@converts("merge_lod_tensor", "merge_lod_tensor_infer")
def merge_rows(call: OnnxCall) -> None:
    """Convert the merge of rows in the order that a mask had when they were split."""
    mask = call.reshape(call.x("Mask"), -1)
    axis = call.constant(0, INT64)
    ones = call.cast(mask, INT64)
    rank_true = call.node("CumSum", ones, axis)
    rank_false = call.node("CumSum", call.cast(call.node("Not", mask), INT64), axis)
    first = call.dims(call.x("InTrue"), 0, 1)
    place = call.node("Where", mask, rank_true, call.node("Add", rank_false, first))
    rows = call.node("Concat", call.x("InTrue"), call.x("InFalse"), axis=0)
    call.out(call.node("Gather", rows, call.node("Sub", place, call.ints(1)), axis=0))


# --- arrays of tensors ------------------------------------------------------------------------------------------------


@converts("write_to_array")
def write_to_array(call: OnnxCall) -> None:
    """Set or append an element."""
    name = call.made()[0]
    array, at, value = initial(call, name), call.scalar(call.int64(call.x("I"), "I")), call.x()
    call.need(call.graph.find_lengths(call.name()) is None, f"{call.name()} has a LoD")
    exists = call.node("Less", at, call.node("SequenceLength", array))
    replaced, appended, names = Graph(call.graph), Graph(call.graph), call.graph.names
    rest = replaced.node("SequenceErase", [array, at], hint=name)[0]
    branches = []
    for graph, inputs in ((replaced, [rest, value, at]), (appended, [array, value])):
        end = graph.node("SequenceInsert", inputs, hint=name)[0]
        branches.append(graph.proto(names.fresh("written"), [], [typed(call, name, end)]))
    call.out(call.node("If", exists, then_branch=branches[0], else_branch=branches[1]))


@converts("read_from_array")
def read_from_array(call: OnnxCall) -> None:
    """Convert the reading of an element."""
    call.out(call.node("SequenceAt", call.x(), call.scalar(call.int64(call.x("I"), "I"))))


@converts("lod_array_length")
def array_length(call: OnnxCall) -> None:
    """Convert the number of elements."""
    call.out(call.reshape(call.node("SequenceLength", call.x()), 1))


@converts("tensor_array_to_tensor")
def array_to_tensor(call: OnnxCall) -> None:
    """Convert the concatenation or the stack of all elements."""
    call.need(not call.used("OutIndex"), "the sizes of its parts are read")
    axis, stacked = int(call.attr("axis")), int(bool(call.attr("use_stack")))
    call.out(call.node("ConcatFromSequence", call.x(), axis=axis, new_axis=stacked))
