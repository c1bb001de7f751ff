"""Control flow: while, if, lists of tensors, recurrences."""

from __future__ import annotations

from ...core.dtype import VarType
from ..blocks import written_outside
from .call import TorchCall, converts
from .walk import convert_block


def start(call: TorchCall, names: list[str]) -> None:
    """Give Variables that have no value yet one, so that Python knows their names."""
    for name in names:
        if name not in call.scope.held:
            array = call.variable(name).type == VarType.LOD_TENSOR_ARRAY
            call.source.line(f"{call.scope.set(name, call.op)} = {'[]' if array else 'None'}")


def body(call: TorchCall) -> None:
    """Write the block of an operator, indented."""
    source = call.source
    source.indent += 1
    before = len(source.lines)
    convert_block(call.op._block_attr("sub_block"), call.model, call.scope)
    if len(source.lines) == before:
        source.line("pass")
    source.indent -= 1


@converts("while")
def loop(call: TorchCall) -> None:
    """Convert a loop to one of Python."""
    start(call, [n for n in written_outside(call.op._block_attr("sub_block")) if n in call.made()])
    call.source.line(f"while bool({call.x('Condition')}):")
    body(call)


@converts("conditional_block", "conditional_block_infer")
def conditional(call: TorchCall) -> None:
    """Convert a branch to one of Python."""
    if not call.attr(
        "is_scalar_condition"
    ):  # it runs where its inputs have elements, and gives none where they have none
        convert_block(call.op._block_attr("sub_block"), call.model, call.scope)
        return
    start(call, [n for n in written_outside(call.op._block_attr("sub_block")) if n in call.made()])
    call.source.line(f"if bool({call.x('Cond')}):")
    body(call)


@converts("select_input")
def select_input(call: TorchCall) -> None:
    """Convert the choice of the input that a number names."""
    values = call.xs()
    if len(values) == 2:
        call.out(f"{values[1]} if bool({call.x('Mask')}) else {values[0]}")
    else:
        call.out(f"[{', '.join(values)}][int({call.x('Mask')})]")


@converts("write_to_array")
def write_to_array(call: TorchCall) -> None:
    """Set or append an element of a list."""
    start(call, call.made())
    name, at = call.scope.held[call.made()[0]], f"int({call.x('I')})"
    call.source.line(f"{name} = {name}[:{at}] + [{call.x()}] + {name}[{at} + 1:]")


@converts("read_from_array")
def read_from_array(call: TorchCall) -> None:
    """Convert the reading of an element of a list."""
    call.out(f"{call.x()}[int({call.x('I')})]")


@converts("lod_array_length")
def array_length(call: TorchCall) -> None:
    """Convert the number of elements of a list."""
    call.out(f"torch.tensor([len({call.x()})])")


@converts("tensor_array_to_tensor")
def array_to_tensor(call: TorchCall) -> None:
    """Convert the concatenation or the stack of all elements."""
    call.need(not call.used("OutIndex"), "the sizes of its parts are read")
    call.out(f"torch.{'stack' if call.attr('use_stack') else 'cat'}({call.x()}, dim={int(call.attr('axis'))})")


@converts("split_lod_tensor")
def split_rows(call: TorchCall) -> None:
    """Convert the split into the rows where a mask holds, and the others."""
    mask = f"{call.x('Mask')}.reshape(-1)"
    call.out(f"{call.x()}[{mask}]", "OutTrue")
    call.out(f"{call.x()}[~{mask}]", "OutFalse")


@converts("merge_lod_tensor", "merge_lod_tensor_infer")
def merge_rows(call: TorchCall) -> None:
    """Convert the merge of rows in the order that a mask had when they were split."""
    mask, yes, no = call.x("Mask"), call.x("InTrue"), call.x("InFalse")
    order = (
        f"torch.argsort(torch.cat([torch.nonzero({mask}.reshape(-1)), torch.nonzero(~{mask}.reshape(-1))]).reshape(-1))"
    )
    call.out(f"torch.cat([{yes}, {no}])[{order}]")


@converts("recurrent")
def recurrent(call: TorchCall) -> None:
    """Convert a StaticRNN to a loop over the first axis."""
    scope, source = call.scope, call.source
    sequences, made = call.names("inputs"), call.made("outputs")
    whole = {name: call.value(name) for name in sequences}
    for name, state in zip(call.attr("ex_states"), call.names("initial_states"), strict=True):
        source.line(f"{scope.set(name, call.op)} = {call.value(state)}")
    lists = {name: source.local(f"{name}_steps") for name in made}
    for local in lists.values():
        source.line(f"{local} = []")
    steps = source.local("step")
    call.need(sequences, "it has no input sequence")
    order = f"range({whole[sequences[0]]}.shape[0])"
    source.line(f"for {steps} in {f'reversed({order})' if call.attr('reverse') else order}:")
    source.indent += 1
    outer = dict(scope.held)
    for name in sequences:
        scope.held[name] = source.local(f"{name}_step")
        source.line(f"{scope.held[name]} = {whole[name]}[{steps}]")
    convert_block(call.op._block_attr("sub_block"), call.model, scope)
    for before, after in zip(call.attr("ex_states"), call.attr("states"), strict=True):
        source.line(f"{scope.held[before]} = {scope.held[after]}")
    for name, local in lists.items():
        source.line(f"{local}.append({scope.held[name]})")
    source.indent -= 1
    inner = {name: scope.held[name] for name in made}
    scope.held = {**outer, **inner}
    for name, local in lists.items():
        source.line(f"{scope.held[name]} = torch.stack({local}{'[::-1]' if call.attr('reverse') else ''})")
