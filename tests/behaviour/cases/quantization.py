"""Training with quantized values, freezing and int8 weights: the operators of the graphs, and the numbers."""

import numpy as np

KINDS = ["conv2d", "depthwise_conv2d", "mul", "matmul"]
RNG = np.random.RandomState(6)
IMAGES, LABELS = RNG.randn(6, 1, 8, 8).astype("float32"), np.array([[0], [2], [1], [4], [3], [0]], "int64")


def network(fluid):
    layers = fluid.layers
    x, y = fluid.data("x", [None, 1, 8, 8]), fluid.data("y", [None, 1], "int64")
    hidden = layers.conv2d(x, 4, 3, padding=1, act="relu")
    hidden = layers.conv2d(hidden, 4, 3, padding=1, groups=4, use_cudnn=False, bias_attr=False)
    pooled = layers.pool2d(layers.batch_norm(hidden, act="relu"), 2, "avg", pool_stride=2)
    hidden = layers.fc(layers.elementwise_add(pooled, layers.scale(pooled, 2.0)), 6)
    with fluid.name_scope("skip_quant"):
        hidden = layers.fc(hidden, 6, act="tanh")
    out = layers.softmax(layers.matmul(hidden, layers.create_parameter([6, 5], "float32", name="last")))
    return layers.mean(layers.cross_entropy(out, y)), out


def text(program):
    """The operators, sorted, since their order is one of several; without the numbers in generated names."""
    lines = []
    for op in program.global_block().ops:
        if op.has_attr("op_role") and op.attr("op_role") & 3:
            continue
        reads = [f"{slot}={op.input(slot)}" for slot in sorted(op.input_names) if op.input(slot)]
        writes = [f"{slot}={op.output(slot)}" for slot in sorted(op.output_names) if op.output(slot)]
        known = (
            "bit_length",
            "window_size",
            "is_test",
            "quant_bits",
            "quantization_type",
            "activation_bits",
            "skip_quant",
        )
        attrs = [f"{name}={op.attr(name)}" for name in known if op.has_attr(name)]
        line = f"{op.type} {reads} {writes} {attrs}".replace("'", "").replace('"', "")
        for word in ("scales", "state", "accum", "channel_scale", "scale_state@", "scale_accum@"):
            for number in range(20):
                line = line.replace(f"{word}_{number}]", f"{word}]").replace(f"{word}_{number},", f"{word},")
        lines.append(line)
    return np.array(sorted(lines))


def frozen(fluid, scope, exe, testing, weights, feed, out):
    """What the passes behind training make of a graph."""
    slim, place, found = fluid.contrib.slim.quantization, fluid.CPUPlace(), {}
    slim.QuantizationFreezePass(scope, place, weight_quantize_type=weights).apply(testing)
    program = testing.to_program()
    found["frozen"] = text(program)
    scales = [op.attr("max_range") for op in program.global_block().ops if op.type == "fake_dequantize_max_abs"]
    found["scales"] = np.array(sorted(scales), "float32")
    found["out frozen"] = exe.run(program, feed=feed, fetch_list=[out.name])[0]
    slim.ConvertToInt8Pass(scope, place).apply(testing)
    int8 = testing.to_program()
    found["int8"] = text(int8)
    for v in int8.list_vars():
        if v.name.endswith(".int8"):
            found[v.name] = np.array(scope.find_var(v.name).get_tensor())
    slim.TransformForMobilePass().apply(testing)
    found["mobile"] = text(testing.to_program())
    return found


def passes(activations, weights, more):
    """Train, freeze and convert; `more` also quantizes other operators and records ranges."""

    def run(fluid):
        slim = fluid.contrib.slim.quantization
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            loss, out = network(fluid)
            test = main.clone(for_test=True)
            fluid.optimizer.SGD(0.05).minimize(loss)
        place, scope, found = fluid.CPUPlace(), fluid.Scope(), {}
        exe = fluid.Executor(place)
        transform = {
            "scope": scope, "place": place, "activation_quantize_type": activations, "weight_quantize_type": weights,
            "quantizable_op_type": KINDS, "window_size": 3,
        }  # fmt: skip
        feed = {"x": IMAGES, "y": LABELS}

        def graph_of(program, for_test):
            return fluid.framework.IrGraph(fluid.core.Graph(program.desc), for_test=for_test)

        with fluid.scope_guard(scope):
            exe.run(startup)
            for i, p in enumerate(main.all_parameters()):
                values = (np.random.RandomState(i).randn(*p.shape) * 0.4).astype("float32")
                scope.find_var(p.name).get_tensor().set(values, place)
            training, testing = graph_of(main, False), graph_of(test, True)
            for graph in (training, testing):
                slim.QuantizationTransformPass(**transform).apply(graph)
                if more:
                    slim.AddQuantDequantPass(scope, place, quantizable_op_type=["pool2d", "elementwise_add"]).apply(
                        graph
                    )
                    slim.OutScaleForTrainingPass(scope, place).apply(graph)
            found["training"], found["testing"] = text(training.to_program()), text(testing.to_program())
            program = fluid.CompiledProgram(training.graph)
            losses = [exe.run(program, feed=feed, fetch_list=[loss.name])[0] for _ in range(5)]
            found["losses"] = np.array(losses)
            before = exe.run(testing.to_program(), feed=feed, fetch_list=[loss.name, out.name])
            found["loss before"], found["out before"] = before
            if more:
                slim.OutScaleForInferencePass(scope).apply(testing)
                ranges = {
                    op.output(
                        {"batch_norm": "Y", "conv2d": "Output", "depthwise_conv2d": "Output"}.get(op.type, "Out")
                    )[0]: op.attr("out_threshold")
                    for op in testing.to_program().global_block().ops
                    if op.has_attr("out_threshold")
                }
                found["ranges of"] = np.array(sorted(ranges))
                found["ranges"] = np.array([ranges[name] for name in sorted(ranges)], "float32")
            found.update(frozen(fluid, scope, exe, testing, weights, feed, out))
        return found

    return run


CASES = {
    "abs_max": passes("abs_max", "abs_max", False),
    "range": passes("range_abs_max", "abs_max", False),
    "moving averages, channels": passes("moving_average_abs_max", "channel_wise_abs_max", True),
    "range, channels": passes("range_abs_max", "channel_wise_abs_max", False),
    "range of weights": passes("moving_average_abs_max", "range_abs_max", False),
}
