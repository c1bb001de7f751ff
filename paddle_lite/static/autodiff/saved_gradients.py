"""Gradients of loops, branches and recurrences in the form that PaddlePaddle runs, for files.

Here the block of a gradient operator receives and returns gradients as listed by the operator. In PaddlePaddle it runs in
the scope of the forward iteration. There the gradient of a value that iterations hand on is a Variable of the enclosing
block, the carrier, which each iteration reads and overwrites; the gradient of an array of tensors is one array that is
changed in place. PaddlePaddle itself adds up the gradients of what iterations only read. The operator names the carriers
in two attributes of its own, by which `loaded_gradients` converts it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.dtype import VarType
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.cloning import copy_program, drop_unused
from ..program.operator import Operator
from ..program.program import Program
from ..program.roles import OpRole
from .loaded_gradients import CARRIED, CARRIERS, SLOTS
from .saved_values import copy_overwritten, fresh_name

RENAMED: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "lod_tensor_to_array_grad": ("array_to_lod_tensor", {"X": "Out@GRAD", "RankTable": "RankTable"}, {"Out": "X@GRAD"}),
    "array_to_lod_tensor_grad": ("lod_tensor_to_array", {"X": "Out@GRAD", "RankTable": "RankTable"}, {"Out": "X@GRAD"}),
    "reorder_lod_tensor_by_rank_grad": (
        "reorder_lod_tensor_by_rank_grad", {"X": "Out@GRAD", "RankTable": "RankTable"}, {"Out": "X@GRAD"},
    ),
    "split_lod_tensor_grad": (
        "merge_lod_tensor", {"X": "X", "Mask": "Mask", "InTrue": "OutTrue@GRAD", "InFalse": "OutFalse@GRAD"}, {"Out": "X@GRAD"},
    ),
    "merge_lod_tensor_grad": (
        "split_lod_tensor", {"X": "Out@GRAD", "Mask": "Mask"}, {"OutTrue": "InTrue@GRAD", "OutFalse": "InFalse@GRAD"},
    ),
    "select_input_grad": ("select_output", {"X": "Out@GRAD", "Mask": "Mask"}, {"Out": "X@GRAD"}),
    "select_output_grad": ("select_input", {"X": "Out@GRAD", "Mask": "Mask"}, {"Out": "X@GRAD"}),
}  # fmt: skip
"""Gradient operators that PaddlePaddle computes by other operators: the type of these, and slot -> slot of ours."""

ON_ARRAYS = frozenset({"without_element", "read_from_array_grad"})


def in_the_form_of_files(program: Program) -> Program:
    """Return a Program with the gradients of loops, branches and recurrences in the form of files.

    It is the Program itself if it has none of these; else a copy.
    """
    if not any(_is_ours(op) for op in program.all_ops()):
        return program
    result = copy_program(program, lambda op: True)
    copy_overwritten(result)
    inner = {op.attrs["sub_block"].idx for op in result.all_ops() if op.type in SLOTS}
    for block in list(result.blocks):
        if block.idx not in inner:
            _Converted(block, {}, {}).convert()
    used = {name for name, v in result.global_block().vars.items() if v.persistable or v.is_data}
    drop_unused(result, keep=used)
    return result


def _is_ours(op: Operator) -> bool:
    return op.type in ON_ARRAYS or op.type in RENAMED or (op.type in SLOTS and "seeds" in op.attrs)


class _Converted:
    """The conversion of a block with gradient operators.

    Arguments:
        block: the block. names: name of a gradient here -> its name in the file. arrays: name of the gradient of an array
            -> the name of that array.

    Attributes:
        home: the block that declares carriers and the gradients of arrays.
    """

    def __init__(
        self, block: Block, names: Mapping[str, str], arrays: Mapping[str, str], around: _Converted | None = None
    ) -> None:
        self.block = block
        self.names = dict(names)
        self.arrays = dict(arrays)
        self.around = around
        self.ops: list[Operator] = []
        self.own: dict[str, str] = {}  # array -> its gradient, for arrays whose gradient this block declares
        self.written: set[str] = set()
        self.last: list[Operator] = []  # what stands at the end of the block

    def convert(self) -> None:
        """Convert the operators of the block, in order."""
        for op in self.block.ops:
            if op.type in SLOTS and "seeds" in op.attrs:
                self._known_arrays(op)
        for op in self.block.ops:
            self._one(op)
        self.block.ops = []
        for op in self.ops:
            self.block.place(op)
        if self.around is not None:  # a Variable of the block itself would hide the one outside
            made = {name for op in self.ops for name in op.output_arg_names}
            for name in [name for name in self.block.vars if name not in made]:
                del self.block.vars[name]

    def _known_arrays(self, op: Operator) -> None:
        """Use the names of gradients of arrays that are changed in place already, as in a Program from a file."""
        slots = SLOTS[op.type]
        if op.type == "recurrent_grad":
            return
        results = dict(zip(op.attr("of"), op.outputs[f"{slots.inputs[0]}@GRAD"], strict=True))
        for name, given in zip(op.input(slots.outputs), op.input(f"{slots.outputs}@GRAD"), strict=True):
            if given != EMPTY and results.get(name) == given and self._is_array(name):
                self.own[name] = given
                self.arrays[given] = name

    def _one(self, op: Operator) -> None:
        if op.type == "without_element":
            self._without_element(op)
        elif op.type == "read_from_array_grad":
            self._read_gradient(op)
        elif op.type == "read_from_array" and op.forward is not None:
            self._written_gradient(op)
        elif op.type in SLOTS and "seeds" in op.attrs:
            _GRADIENTS[op.type](self, op)
        elif op.forward is not None and op.forward.type == "rnn_memory_helper":
            self._memory_gradient(op)
        elif op.type == "sum" and all(name in self.arrays for name in op.input("X")):
            self.arrays[op.output("Out")[0]] = self.arrays[op.input("X")[0]]
        else:
            self._renamed(op)

    # --- operators ----------------------------------------------------------------------------------------------------

    def _append(
        self, type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: Any = None
    ) -> None:
        self.ops.append(Operator(self.block, type, inputs, outputs, {"op_role": int(OpRole.Backward), **(attrs or {})}))

    def _variable(self, name: str, like: str, type: VarType = VarType.LOD_TENSOR) -> str:
        """Create a Variable with the shape and dtype of another one; return its name."""
        known = self.block.find(like)
        variable = self.block.declare_var(name=name, type=type)
        if known is not None:
            variable.set_meta(known.meta)
            variable.type = type
        return name

    def _new(self, like: str, why: str) -> str:
        return self._variable(fresh_name(self.block.program, f"{like}@GRAD@{why}"), like)

    def _is_array(self, name: str) -> bool:
        variable = self.block.find(name)
        return variable is not None and variable.type == VarType.LOD_TENSOR_ARRAY

    def _read(self, names: Sequence[str]) -> list[str]:
        """Return the names of the file for names that an operator reads."""
        return [self._gradient_of(self.arrays[n]) if n in self.arrays else self.names.get(n, n) for n in names]

    def _gradient_of(self, array: str) -> str:
        """Return the name of the gradient of an array, declared where the array is differentiated first."""
        place: _Converted = self
        while place.around is not None and array not in place.own and not place._declares(array):
            place = place.around
        if array not in place.own:
            name = f"{array}@GRAD"
            known = place.block.find(name)
            if known is not None and known.block is not place.block:
                name = fresh_name(place.block.program, name)
            place.own[array] = place._variable(name, array, VarType.LOD_TENSOR_ARRAY)
        return place.own[array]

    def _declares(self, name: str) -> bool:
        """Return whether a Variable belongs to the block whose gradient this block is."""
        forward = self.block.forward_block_idx
        return forward >= 0 and name in self.block.program.blocks[forward].vars

    def _renamed(self, op: Operator) -> None:
        """Append an operator with the type, the slots and the names of the file."""
        type, inputs, outputs = op.type, op.inputs, op.outputs
        attrs = op.attrs
        if op.type in RENAMED:
            type, taken, given = RENAMED[op.type]
            inputs = {slot: op.inputs[of] for slot, of in taken.items() if of in op.inputs}
            outputs = {slot: self._all_named(op, op.outputs.get(of) or [EMPTY]) for slot, of in given.items()}
            attrs = {name: value for name, value in op.attrs.items() if name in ("op_role", "op_role_var", "level")}
        made = Operator(self.block, type, {s: self._read(n) for s, n in inputs.items()}, {}, attrs, op.line)
        made.from_file = op.from_file if type == op.type else None
        array = self._array_made(op)
        if array is None:
            made.outputs = {slot: list(names) for slot, names in outputs.items()}
            self.ops.append(made)
            return
        gradient = self._gradient_of(array)
        [(slot, [piece])] = outputs.items()
        self.arrays[piece] = array
        if gradient in self.written or array not in self.own:
            part = self._variable(fresh_name(self.block.program, gradient), array, VarType.LOD_TENSOR_ARRAY)
            made.outputs = {slot: [part]}
            self.ops.append(made)
            self._append("sum", {"X": [gradient, part]}, {"Out": [gradient]})
        else:
            made.outputs = {slot: [gradient]}
            self.ops.append(made)
        self.written.add(gradient)

    def _array_made(self, op: Operator) -> str | None:
        """Return the array whose whole gradient an operator makes; None for any other operator."""
        if op.forward is None or op.type in ("write_to_array", "read_from_array"):
            return None
        name = (op.forward.inputs.get("X") or [""])[0]
        makes = [n for slot, names in op.outputs.items() if slot in ("X@GRAD", "Out") for n in names]
        of_array = op.type in ("array_to_lod_tensor_grad", "tensor_array_to_tensor_grad", "assign", "fill_zeros_like")
        return name if of_array and len(makes) == 1 and self._is_array(name) and "@GRAD" in makes[0] else None

    def _all_named(self, op: Operator, names: Sequence[str]) -> list[str]:
        """Return names of results, with a Variable for each gradient that nothing needs."""
        like = next((n for names in op.inputs.values() for n in names), "")
        return [self._new(like, "UNUSED") if n == EMPTY else n for n in names]

    def _add_element(self, array: str, index: list[str], value: list[str]) -> None:
        """Add a value to an element of the gradient of an array, which may not have that element yet."""
        gradient = self._gradient_of(array)
        part = self._variable(fresh_name(self.block.program, f"{gradient}@PART"), array, VarType.LOD_TENSOR_ARRAY)
        self._append("write_to_array", {"X": value, "I": index}, {"Out": [part]})
        self._append("sum", {"X": [gradient, part]}, {"Out": [gradient]})
        self.written.add(gradient)

    def _written_gradient(self, op: Operator) -> None:
        """Append the gradient of a value that was written to an array: the element, zeros if there is none."""
        assert op.forward is not None
        [array], [value] = op.forward.output("Out"), op.forward.input("X")
        self.arrays[op.input("X")[0]] = array
        index = self._read(op.input("I"))
        self._add_element(array, index, [self.zeros(value)])
        self._append("read_from_array", {"X": [self._gradient_of(array)], "I": index, "X_W": [value]}, dict(op.outputs))

    def _without_element(self, op: Operator) -> None:
        """Set the element of the gradient of an array to zero."""
        assert op.forward is not None
        [array], [value] = op.forward.output("Out"), op.forward.input("X")
        self.arrays[op.input("X")[0]] = self.arrays[op.output("Out")[0]] = array
        gradient, index = self._gradient_of(array), self._read(op.input("I"))
        self._append("write_to_array", {"X": [self.zeros(value)], "I": index}, {"Out": [gradient]})
        self.written.add(gradient)

    def _read_gradient(self, op: Operator) -> None:
        """Add the gradient of a value that was read from an array to the gradient of the array."""
        assert op.forward is not None
        [array] = op.forward.input("X")
        self.arrays[op.output("X@GRAD")[0]] = array
        self._add_element(array, self._read(op.input("I")), self._read(op.input("Out@GRAD")))

    def _memory_gradient(self, op: Operator) -> None:
        """Append the gradient of a result of a recurrence's step; that of a state does not arrive in the last step."""
        assert op.forward is not None
        inputs = {"Out@GRAD": self._read(op.input("X")), "X": op.forward.input("X"), "Out": op.forward.output("Out")}
        self._append(
            "rnn_memory_helper_grad", inputs, {"X@GRAD": op.output("Out")}, {"dtype": op.forward.attr("dtype")}
        )

    # --- operators with blocks ----------------------------------------------------------------------------------------

    def rounds(self, op: Operator) -> None:
        """Append the gradient of a loop or a branch."""
        slots = SLOTS[op.type]
        [slot], forward = slots.inputs, op.forward
        assert forward is not None
        outputs, of = op.input(slots.outputs), list(op.attr("of"))
        arriving = dict(zip(outputs, op.input(f"{slots.outputs}@GRAD"), strict=True))
        results = dict(zip(of, op.outputs[f"{slot}@GRAD"], strict=True))
        seeds = {n: s for n, s in zip(outputs, op.attr("seeds"), strict=True) if s != EMPTY}
        found = dict(zip(of, op.attr("found"), strict=True))
        inner, held = op.attrs["sub_block"], {}
        nested = _Converted(inner, self.names, self.arrays, self)
        for name in dict.fromkeys([*seeds, *of]):
            if self._is_array(name):
                held[name] = self._gradient_of(name)
                nested.arrays.update({n: name for n in (seeds.get(name),) if n is not None})
                self.arrays.update({n: name for n in (arriving.get(name), results.get(name)) if n not in (None, EMPTY)})
                self.written.add(held[name])
            elif name in seeds and (op.type == "while_grad" or results.get(name, EMPTY) != EMPTY):
                held[name] = self._carrier(name, arriving[name], results.get(name, EMPTY))
                nested.names[seeds[name]] = held[name]
            elif name in seeds:
                [gradient] = self._read([arriving[name]])
                nested.names[seeds[name]] = nested.zeros(name) if gradient == EMPTY else gradient
        for name in held.values():
            inner.vars.pop(name, None)
        nested.convert()
        nested.hand_on({n: found.get(n, EMPTY) for n in held if not self._is_array(n)}, held)
        summed = {n: r for n, r in results.items() if n not in held and r != EMPTY}
        nested.name_found({n: found[n] for n in summed})
        inner.parent_idx, inner.forward_block_idx = self.block.idx, forward.attrs["sub_block"].idx
        alive = dict.fromkeys([*held.values(), *self._read([n for n in arriving.values() if n != EMPTY])])
        attrs = {name: value for name, value in op.attrs.items() if name in ("op_role", "op_role_var", "sub_block")}
        attrs.update({CARRIED: list(held), CARRIERS: list(held.values())})
        if op.type == "while_grad":
            attrs |= {"original_output_grad": [f"{name}@LINKED" for name in alive], "is_test": False}
            attrs["skip_eager_deletion_vars"] = []
        else:
            attrs["is_scalar_condition"] = forward.attr("is_scalar_condition")
        inputs = {name: list(names) for name, names in forward.inputs.items() if name != "Condition"}
        inputs[slots.outputs], inputs[f"{slots.outputs}@GRAD"] = outputs, list(alive)
        inputs[slots.scopes] = op.input(slots.scopes)
        given = {f"{slot}@GRAD": [summed.get(name, EMPTY) for name in forward.inputs.get(slot) or ()]}
        self._place(op, inputs, given, attrs)
        for name, result in results.items():
            if name in held and result not in (EMPTY, held[name]) and not self._is_array(name):
                self._append("assign", {"X": [held[name]]}, {"Out": [result]})

    def zeros(self, name: str) -> str:
        """Return the name of zeros like a Variable."""
        zeros = self._new(name, "ZEROS")
        self._append("fill_zeros_like", {"X": [name]}, {"Out": [zeros]})
        return zeros

    def _carrier(self, name: str, arriving: str, result: str) -> str:
        """Return the carrier of a gradient, which holds the arriving one."""
        given = self._read([arriving])[0]
        if given == result != EMPTY:
            return given
        carrier = self._new(name, "CARRIED")
        if arriving == EMPTY:
            self._append("fill_zeros_like", {"X": [name]}, {"Out": [carrier]})
        else:
            self._append("assign", {"X": [given]}, {"Out": [carrier]})
        return carrier

    def hand_on(self, found: Mapping[str, str], held: Mapping[str, str]) -> None:
        """Append the assignments of the gradients at the end of the block to their carriers."""
        carriers = set(held.values())
        for name, gradient in found.items():
            target, [made] = held[name], self._read([gradient])
            if gradient == EMPTY:
                self._later("fill_zeros_like", target, target)
            elif made in carriers:
                copy = self._new(name, "HANDED")
                self.block.place(Operator(self.block, "assign", {"X": [made]}, {"Out": [copy]}, _backward()))
                self._later("assign", copy, target)
            else:
                self._later("assign", made, target)
        for op in self.last:
            self.block.place(op)

    def _later(self, type: str, source: str, target: str) -> None:
        self.last.append(Operator(self.block, type, {"X": [source]}, {"Out": [target]}, _backward()))

    def name_found(self, found: Mapping[str, str]) -> None:
        """Append assignments to the names by which PaddlePaddle finds the gradients of the block."""
        for name, gradient in found.items():
            target = f"{name}@GRAD"
            if gradient != target:
                self._variable(target, name)
                type, source = ("fill_zeros_like", name) if gradient == EMPTY else ("assign", self._read([gradient])[0])
                self.block.place(Operator(self.block, type, {"X": [source]}, {"Out": [target]}, _backward()))

    def recurrence(self, op: Operator) -> None:
        """Append the gradient of a recurrence."""
        forward, inner = op.forward, op.attrs["sub_block"]
        assert forward is not None
        outputs = op.input("outputs")
        arriving = []
        for name, gradient in zip(outputs, self._read(op.input("outputs@GRAD")), strict=True):
            if gradient == EMPTY:
                gradient = self._new(name, "GRAD")
                self._append("fill_zeros_like", {"X": [name]}, {"Out": [gradient]})
            arriving.append(gradient)
        nested = _Converted(inner, self.names, self.arrays, self)
        nested.convert()
        found = dict(zip(op.attr("of"), op.attr("found"), strict=True))
        along = dict.fromkeys([*forward.input("inputs"), *forward.attr("ex_states")], EMPTY)
        nested.name_found({**along, **found})
        inner.parent_idx, inner.forward_block_idx = self.block.idx, forward.attrs["sub_block"].idx
        attrs = {name: value for name, value in op.attrs.items() if name in ("op_role", "op_role_var", "sub_block")}
        for name in ("has_states", "ex_states", "states", "reverse", "is_train", "skip_eager_deletion_vars"):
            attrs[name] = forward.attr(name)
        inputs = {name: list(names) for name, names in forward.inputs.items()}
        inputs |= {"outputs": outputs, "outputs@GRAD": arriving, "step_scopes": op.input("step_scopes")}
        inputs["step_scopes@GRAD"] = op.input("step_scopes")
        given = dict(op.outputs)
        for slot in ("inputs", "initial_states"):  # PaddlePaddle computes the gradients of all of them
            pairs = zip(forward.input(slot), given[f"{slot}@GRAD"], strict=True)
            given[f"{slot}@GRAD"] = [self._new(n, "UNUSED") if g == EMPTY else g for n, g in pairs]
        self._place(op, inputs, given, attrs)

    def _place(self, op: Operator, inputs: Any, outputs: Any, attrs: dict[str, Any]) -> None:
        """Append a gradient operator with a block, without the attributes that only it has here."""
        made = Operator(self.block, op.type, inputs, outputs, attrs, op.line)
        made.bare = True
        self.ops.append(made)


def _backward() -> dict[str, Any]:
    return {"op_role": int(OpRole.Backward)}


_GRADIENTS = {
    "while_grad": _Converted.rounds,
    "conditional_block_grad": _Converted.rounds,
    "recurrent_grad": _Converted.recurrence,
}
