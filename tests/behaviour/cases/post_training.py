"""Quantization of saved models: by ranges of batches, and of weights alone."""

import os
import shutil
import tempfile

import numpy as np

IMAGES = np.random.RandomState(3).randn(2, 1, 8, 8).astype("float32")


def save(fluid, folder):
    """Save a network with given parameters."""
    layers = fluid.layers
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [-1, 1, 8, 8])
        hidden = layers.conv2d(x, 4, 3, padding=1, act="relu")
        hidden = layers.conv2d(hidden, 4, 3, groups=4, use_cudnn=False, bias_attr=False)
        hidden = layers.pool2d(hidden, 2, "avg", 2)
        out = layers.softmax(layers.fc(layers.elementwise_add(hidden, layers.scale(hidden, 2.0)), 5))
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    with fluid.scope_guard(scope):
        exe.run(startup)
        for i, p in enumerate(main.all_parameters()):
            values = (np.random.RandomState(i).randn(*p.shape) * 0.4).astype("float32")
            scope.find_var(p.name).get_tensor().set(values, fluid.CPUPlace())
        fluid.io.save_inference_model(folder, ["x"], [out], exe, main)


def loaded(fluid, folder, runs=True):
    """What a saved model holds, and what it computes; operators behind the last softmax are those of saving."""
    exe, scope, found = fluid.Executor(fluid.CPUPlace()), fluid.Scope(), {}
    lines, numbers, skipped = [], [], {"feed", "fetch"}
    with fluid.scope_guard(scope):
        program, _, fetches = fluid.io.load_inference_model(folder, exe)
        for op in program.global_block().ops:
            if op.type in skipped or "save_infer_model" in op.output_arg_names[0]:
                continue
            slots = [f"{slot}={op.input(slot)}" for slot in sorted(op.input_names) if op.input(slot)]
            kinds = ("quantization_type", "quantize_weight_bits", "bit_length", "quant_bits", "activation_bits")
            attrs = [f"{name}={op.attr(name)}" for name in kinds if op.has_attr(name)]
            ranges = [
                name for name in sorted(op.attr_names)
                if name in ("out_threshold", "out_min", "out_max", "max_range") or name.endswith((".min", ".max", "_quant_scale"))
            ]  # fmt: skip
            line = f"{op.type} {slots} {attrs} {ranges}".replace("'", "").replace('"', "")
            lines.append(line.replace("channel_scale_0", "channel_scale").replace("channel_scale_1", "channel_scale"))
            for name in ranges:
                numbers += np.atleast_1d(op.attr(name)).tolist()
        found["operators"], found["ranges"] = np.array(lines), np.array(numbers, "float32")
        for v in program.list_vars():
            if v.persistable and v.name not in skipped and not v.name.startswith("channel_scale"):
                value = np.array(scope.find_var(v.name).get_tensor())
                found[v.name], found[v.name + " dtype"] = value.astype("float32"), np.array(str(value.dtype))
        if runs:
            found["out"] = exe.run(program, feed={"x": IMAGES}, fetch_list=fetches)[0]
    return found


def samples():
    rng = np.random.RandomState(7)
    for _ in range(64):
        yield (rng.randn(1, 8, 8).astype("float32"),)


def batches():
    rng = np.random.RandomState(8)
    for _ in range(3):
        yield (rng.randn(8, 1, 8, 8).astype("float32"),)


def post_training(**options):
    def run(fluid):
        folder = tempfile.mkdtemp()
        try:
            save(fluid, os.path.join(folder, "model"))
            with fluid.scope_guard(fluid.Scope()):
                quantization = fluid.contrib.slim.quantization.PostTrainingQuantization(
                    executor=fluid.Executor(fluid.CPUPlace()), model_dir=os.path.join(folder, "model"), **options
                )
                quantization.quantize()
                quantization.save_quantized_model(os.path.join(folder, "quantized"))
            return loaded(fluid, os.path.join(folder, "quantized"))
        finally:
            shutil.rmtree(folder)

    return run


def weights_alone(**options):
    def run(fluid):
        folder = tempfile.mkdtemp()
        try:
            save(fluid, os.path.join(folder, "model"))
            quantization = fluid.contrib.slim.quantization.WeightQuantization(os.path.join(folder, "model"))
            quantization.quantize_weight_to_int(
                os.path.join(folder, "out"), generate_test_model=True,
                quantizable_op_type=["conv2d", "depthwise_conv2d", "mul"], **options
            )  # fmt: skip
            found = loaded(fluid, os.path.join(folder, "out", "quantized_model"), runs=False)
            found.update({"test " + k: v for k, v in loaded(fluid, os.path.join(folder, "out", "test_model")).items()})
            return found
        finally:
            shutil.rmtree(folder)

    return run


MORE = ["conv2d", "mul", "elementwise_add", "pool2d"]
CASES = {
    "KL": post_training(sample_generator=samples, batch_size=8, batch_nums=4),
    "all by abs_max": post_training(
        batch_generator=batches, algo="abs_max", is_full_quantize=True, weight_quantize_type="abs_max"
    ),
    "min_max": post_training(sample_generator=samples, batch_size=16, algo="min_max"),
    "some by moving averages": post_training(
        sample_generator=samples, batch_size=8, algo="abs_max", quantizable_op_type=MORE, activation_quantize_type="moving_average_abs_max"
    ),
    "weights by channel": weights_alone(),
    "weights": weights_alone(weight_quantize_type="abs_max", weight_bits=16),
    "weights, clipped": weights_alone(weight_quantize_type="abs_max", threshold_rate=0.1),
}  # fmt: skip
