"""QuantizeTranspiler: a Program is changed for training with quantized values, frozen, and given int8 weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, message
from ...params.initializer import Constant
from ...static.execution.scope import global_scope
from ...static.program.persistent import persistent_variable
from ...static.program.program import default_main_program, default_startup_program, program_guard
from ..slim.quantization.freeze_pass import quantized
from ..slim.quantization.graph_tools import load, store
from ..slim.quantization.operator_slots import FAKE_DEQUANT, FAKE_QUANT

_CALL = "QuantizeTranspiler"
_QUANTIZED = ("conv2d", "depthwise_conv2d", "mul")
_KINDS = ("abs_max", "range_abs_max", "moving_average_abs_max")


class QuantizeTranspiler:
    """Changes a Program in place: for training with quantized values, and for inference with quantized weights.

    Convolutions and products read their inputs quantized and dequantized. `fluid.contrib.slim.quantization` has passes that do more.

    Arguments:
        weight_bits, activation_bits: the number of bits of a quantized value.
        activation_quantize_type, weight_quantize_type: how a range is found: "abs_max" (of the value itself), "range_abs_max" (the
            largest of the latest `window_size` batches) or "moving_average_abs_max".
        window_size, moving_rate: see above.

    Raises:
        ArgumentValueError: a type is unknown.
    """

    def __init__(
        self,
        weight_bits: int = 8,
        activation_bits: int = 8,
        activation_quantize_type: str = "abs_max",
        weight_quantize_type: str = "abs_max",
        window_size: int = 10000,
        moving_rate: float = 0.9,
    ) -> None:
        for name, kind in (("activation", activation_quantize_type), ("weight", weight_quantize_type)):
            if kind not in _KINDS:
                raise ArgumentValueError(message(_CALL, f"{name}_quantize_type", repr(kind), f"one of {list(_KINDS)}"))
        self.weight_bits, self.activation_bits = weight_bits, activation_bits
        self.activation_quantize_type, self.weight_quantize_type = activation_quantize_type, weight_quantize_type
        self.window_size, self.moving_rate = window_size, moving_rate
        self.global_step: Any = None

    # --- training ---------------------------------------------------------------------------------------------------------

    def training_transpile(self, program: Any = None, startup_program: Any = None) -> None:
        """Quantize and dequantize the inputs of convolutions and products, and let gradients read the same.

        Arguments:
            program: the Program; the default one where it is None.
            startup_program: gets the operators that initialise scales.
        """
        program = default_main_program() if program is None else program
        startup = default_startup_program() if startup_program is None else startup_program
        with program_guard(program, startup):
            self._create_global_step(program.global_block())
            for block in program.blocks:
                made: dict[str, str] = {}
                for op in list(block.ops):
                    at = block.ops.index(op) if op.type in _QUANTIZED else -1
                    for name in op.input_arg_names if op.type in _QUANTIZED else ():
                        if name not in made:  # the operators of the first input are those next to the operator
                            made[name] = self._quantize_at(block, at, block.var(name))
                        op._rename_input(name, made[name])
                gradients = {f"{type}_grad" for type in _QUANTIZED}
                for op in block.ops:
                    for name in op.input_arg_names if op.type in gradients else ():
                        if name in made:
                            op._rename_input(name, made[name])

    def _create_global_step(self, block: Any) -> None:
        """Create the counter of steps that range_abs_max needs, or find it."""
        if "range_abs_max" not in (self.weight_quantize_type, self.activation_quantize_type):
            return
        name = "@STEP_COUNTER@"
        new = name not in block.vars
        self.global_step = persistent_variable(name, [1], "int64", Constant(0.0, force_cpu=True))
        if new:
            block._prepend_op("increment", {"X": self.global_step}, {"Out": self.global_step}, {"step": 1.0})

    def _quantize_at(self, block: Any, at: int, variable: Any) -> str:
        """Insert the operators that quantize and dequantize a Variable at an index; return the name of the result."""
        weight = variable.is_parameter
        kind = self.weight_quantize_type if weight else self.activation_quantize_type
        bits = self.weight_bits if weight else self.activation_bits
        like = {"dtype": variable.dtype, "type": variable.type, "shape": variable.shape, "persistable": False}
        values = block.create_var(name=f"{variable.name}.quantized", **like)
        inputs, outputs, attrs = {"X": variable}, {"Out": values}, {"bit_length": bits}
        if kind == "abs_max":
            scale = block.create_var(name=f"{variable.name}.scale", **{**like, "shape": [1]})
        else:
            scale = persistent_variable(f"{variable.name}.scale", [1], variable.dtype, Constant(0.001))
            inputs["InScale"] = scale
            self._keep(kind, variable, inputs, outputs, attrs)
        outputs["OutScale"] = scale
        block._insert_op(at, f"fake_quantize_{kind}", inputs, outputs, attrs)
        result = block.create_var(name=f"{values.name}.dequantized", **like)
        largest = {"max_range": float((1 << (bits - 1)) - 1)}
        block._insert_op(at + 1, "fake_dequantize_max_abs", {"X": values, "Scale": scale}, {"Out": result}, largest)
        return result.name

    def _keep(self, kind: str, variable: Any, inputs: dict, outputs: dict, attrs: dict) -> None:
        """Add what is kept between runs to the slots of the operator that quantizes a Variable."""
        attrs["is_test"] = False
        if kind == "range_abs_max":
            attrs["window_size"] = self.window_size
            name = unique_name.generate("scales")
            inputs["Iter"] = self.global_step
            outputs["OutScales"] = persistent_variable(name, [self.window_size], variable.dtype, Constant(0.0))
            return
        attrs["moving_rate"] = self.moving_rate
        for slot, word in (("State", "state"), ("Accum", "accum")):
            state = persistent_variable(unique_name.generate(word), [1], variable.dtype, Constant(1.0))
            inputs[f"In{slot}"] = outputs[f"Out{slot}"] = state

    # --- inference --------------------------------------------------------------------------------------------------------

    def freeze_program(self, program: Any, place: Any, scope: Any = None) -> None:
        """Quantize the weights themselves, and dequantize the results of operators.

        Arguments:
            program: a Program of a test that `training_transpile` has changed.
            place: the place of the weights.
            scope: the Scope with the weights; the global one where it is None.
        """
        scope = global_scope() if scope is None else scope
        parameters = {v.name for v in program.all_parameters()}
        sources: dict[str, str] = {}
        scales: dict[str, Any] = {}  # of a weight the number, of an activation the name of its Variable
        for block in program.blocks:
            renamed: dict[str, str] = {}
            for op in list(block.ops):
                for name in op.input_arg_names:
                    if name in renamed:
                        op._rename_input(name, renamed[name])
                if op.type in FAKE_QUANT:
                    self._freeze_input(op, scope, place, parameters, sources, scales)
                elif op.type in FAKE_DEQUANT:
                    source = op.input("X")[0]
                    sources[op.output("Out")[0]] = sources.get(source, source)
                    block._remove_op(block.ops.index(op))
                elif op.type in _QUANTIZED:
                    self._dequantize_result(op, parameters, sources, scales, renamed)
        _remove_unused_variables(program)

    def _freeze_input(self, op: Any, scope: Any, place: Any, parameters: set, sources: dict, scales: dict) -> None:
        """Quantize a weight and remove the operator that did so; of an activation note the Variable of the scale."""
        name = op.input("X")[0]
        if name not in parameters:
            scales[name] = scales[op.output("Out")[0]] = op.output("OutScale")[0]
            return
        weight = load(scope, name)
        by_itself = self.weight_quantize_type == "abs_max"
        scales[name] = np.max(np.abs(weight)) if by_itself else load(scope, op.output("OutScale")[0])[0]
        store(scope, place, name, quantized(weight, scales[name], self.weight_bits))
        sources[op.output("Out")[0]] = name
        op.block._remove_op(op.block.ops.index(op))

    def _dequantize_result(self, op: Any, parameters: set, sources: dict, scales: dict, renamed: dict) -> None:
        """Let an operator read quantized values, and insert the operator behind it that dequantizes its result."""
        block, largest, scale = op.block, 1.0, None
        for name in op.input_arg_names:
            source = sources.get(name, name)
            op._rename_input(name, source)
            if source in parameters:
                largest *= ((1 << (self.weight_bits - 1)) - 1) / scales[source]
            else:
                largest *= (1 << (self.activation_bits - 1)) - 1
                scale = scales[source]
        result = block.var(op.output_arg_names[0])
        made = block.create_var(
            name=f"{result.name}.dequantized",
            dtype=result.dtype,
            type=result.type,
            shape=result.shape,
            persistable=False,
        )
        inputs, attrs = {"X": result, "Scale": scale}, {"max_range": float(largest)}
        block._insert_op(block.ops.index(op) + 1, "fake_dequantize_max_abs", inputs, {"Out": made}, attrs)
        renamed[result.name] = made.name

    def convert_to_int8(self, program: Any, place: Any, scope: Any = None) -> None:
        """Make the weights of convolutions and products int8, as Variables of their own with the ending ".int8".

        Arguments:
            program: a Program that `freeze_program` has changed.
            place: the place of the weights.
            scope: the Scope with the weights; the global one where it is None.
        """
        scope = global_scope() if scope is None else scope
        parameters = {v.name: v for v in program.all_parameters()}
        for block in program.blocks:
            for op in block.ops:
                for name in op.input_arg_names if op.type in _QUANTIZED else ():
                    if name in parameters:
                        made = f"{name}.int8"
                        if made not in block.vars:
                            shape = parameters[name].shape
                            block.create_var(name=made, dtype=VarType.INT8, shape=shape, persistable=True)
                            store(scope, place, made, load(scope, name).astype(np.int8))
                        op._rename_input(name, made)
        _remove_unused_variables(program)


def _remove_unused_variables(program: Any) -> None:
    """Remove the Variables that no operator reads or writes."""
    for block in program.blocks:
        used = {name for op in block.ops for name in [*op.input_arg_names, *op.output_arg_names]}
        for name in [name for name in block.vars if name not in used]:
            block._remove_var(name)
