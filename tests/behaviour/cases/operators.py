"""Single operators by append_op, with outputs that are not their inputs."""

import numpy as np


def appended(type, inputs, outputs, attrs):
    def run(fluid):
        main = fluid.Program()
        with fluid.program_guard(main, fluid.Program()):
            block = main.global_block()
            given = {
                slot: [block.create_var(name=slot, shape=value.shape, dtype=str(value.dtype), is_data=True)]
                for slot, value in inputs.items()
            }
            made = {slot: [block.create_var(name=slot, dtype="float32")] for slot in outputs}
            block.append_op(type=type, inputs=given, outputs=made, attrs=attrs)
            exe = fluid.Executor(fluid.CPUPlace())
            found = exe.run(feed=inputs, fetch_list=list(outputs))
        return dict(zip(outputs, found))

    return run


def draw(*slots):
    values = np.random.RandomState(1).rand(len(slots), 3).astype("float32")
    return dict(zip(slots, values))


CASES = {
    "adadelta": appended(
        "adadelta",
        draw("Param", "Grad", "AvgSquaredGrad", "AvgSquaredUpdate"),
        ["ParamOut", "AvgSquaredGradOut", "AvgSquaredUpdateOut"],
        {"rho": 0.9, "epsilon": 1e-3},
    )
}
for scale in (0.0, 1e-38, 9e-31, 1e-30, 1e-20):
    X = np.array([[1.0, -0.6], [0.3, 0.9]], "float32") * np.float32(scale)
    CASES[f"fake_quantize_abs_max {scale}"] = appended(
        "fake_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 8}
    )
    CASES[f"fake_channel_wise_quantize_abs_max {scale}"] = appended(
        "fake_channel_wise_quantize_abs_max", {"X": X}, ["Out", "OutScale"], {"bit_length": 8}
    )
CASES["None is the default of an attribute"] = appended(
    "scale", draw("X"), ["Out"], {"scale": 3.0, "bias": None, "bias_after_scale": None}
)


def none_in_imperative_mode(fluid):
    """An attribute that is a bool may be None, also where an operator runs at once."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        helper = fluid.layer_helper.LayerHelper("reduce_sum")
        x = fluid.dygraph.to_variable(draw("X", "Y")["X"])
        out = helper.create_variable_for_type_inference("float32")
        attrs = {"dim": [0], "keep_dim": None, "reduce_all": None}
        helper.append_op(type="reduce_sum", inputs={"X": x}, outputs={"Out": out}, attrs=attrs)
        return {"Out": out.numpy()}


CASES["None is False in imperative mode"] = none_in_imperative_mode
