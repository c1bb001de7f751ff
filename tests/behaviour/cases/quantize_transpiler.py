"""QuantizeTranspiler: training with quantized values, frozen Programs, int8 weights."""

import numpy as np

RNG = np.random.RandomState(0)
FEED = {"x": RNG.randn(8, 1, 6, 6).astype("float32"), "y": np.arange(8).reshape(8, 1).astype("int64") % 3}


def text(program):
    """The operators that quantize and those that read what they make, sorted: the inputs of one operator have no order."""
    lines = []
    for op in program.global_block().ops:
        if not any(
            ".quantized" in name or "int8" in name or "dequantized" in name
            for name in op.input_arg_names + op.output_arg_names
        ):
            continue
        slots = [f"{slot}={op.input(slot)}" for slot in sorted(op.input_names) if op.input(slot)]
        slots += [f"{slot}={op.output(slot)}" for slot in sorted(op.output_names) if op.output(slot)]
        attrs = [f"{name}={op.attr(name)}" for name in ("bit_length", "window_size") if op.has_attr(name)]
        lines.append(f"{op.type} {slots} {attrs}".replace("'", "").replace('"', ""))
    return np.array(sorted(lines))


def transpiled(activations):
    def run(fluid):
        layers = fluid.layers
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            x, y = fluid.data("x", [None, 1, 6, 6]), fluid.data("y", [None, 1], "int64")
            out = layers.fc(layers.conv2d(x, 2, 3, act="relu"), 3, act="softmax")
            loss = layers.mean(layers.cross_entropy(out, y))
            test = main.clone(for_test=True)
            fluid.optimizer.SGD(0.05).minimize(loss)
            transpiler = fluid.contrib.quantize.QuantizeTranspiler(activation_quantize_type=activations, window_size=3)
            transpiler.training_transpile(main, startup)
            transpiler.training_transpile(test, startup)
        found = {"training": text(main), "test": text(test)}
        place, scope = fluid.CPUPlace(), fluid.Scope()
        exe = fluid.Executor(place)
        with fluid.scope_guard(scope):
            exe.run(startup)
            for i, p in enumerate(main.all_parameters()):
                values = (np.random.RandomState(i).randn(*p.shape) * 0.4).astype("float32")
                scope.find_var(p.name).get_tensor().set(values, place)
            found["losses"] = np.array([exe.run(main, feed=FEED, fetch_list=[loss])[0] for _ in range(5)])
            found["before"] = exe.run(test, feed=FEED, fetch_list=[out])[0]
            transpiler.freeze_program(test, place)
            found["frozen"] = text(test)
            scales = [op.attr("max_range") for op in test.global_block().ops if op.type == "fake_dequantize_max_abs"]
            found["scales"] = np.array(scales, "float32")
            found["after"] = exe.run(test, feed=FEED, fetch_list=[out])[0]
            transpiler.convert_to_int8(test, place)
            found["int8"], found["names"] = text(test), np.array(sorted(test.global_block().vars))
            for name in ("conv2d_0.w_0.int8", "fc_0.w_0.int8"):
                found[name] = np.array(scope.find_var(name).get_tensor())
        return found

    return run


CASES = {kind: transpiled(kind) for kind in ("abs_max", "range_abs_max", "moving_average_abs_max")}
