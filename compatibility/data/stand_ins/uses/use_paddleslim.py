"""Makes a network smaller by PaddleSlim 1.2: `use_paddleslim.py TASK`, of data made here."""

import sys

import numpy as np
import paddle.fluid as fluid
import paddleslim as slim

RNG = np.random.RandomState(4)
X = RNG.normal(0, 1, (16, 1, 16, 16)).astype("float32")
Y = (X.mean(axis=(1, 2, 3), keepdims=False) > 0).astype("int64").reshape(-1, 1)
PLACE = fluid.CPUPlace()


def build(main, startup):
    """Return the Program for tests, loss and accuracy of a small network that is trained."""
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        image, label = fluid.data("image", [None, 1, 16, 16]), fluid.data("label", [None, 1], "int64")
        x = fluid.layers.conv2d(image, 8, 3, padding=1, act="relu", name="one")
        x = fluid.layers.conv2d(x, 8, 3, stride=2, padding=1, act="relu", name="two")
        x = fluid.layers.fc(fluid.layers.pool2d(x, pool_type="avg", global_pooling=True), 2, act="softmax", name="last")
        loss = fluid.layers.mean(fluid.layers.cross_entropy(x, label))
        accuracy = fluid.layers.accuracy(x, label)
        test = main.clone(for_test=True)
        fluid.optimizer.Momentum(0.05, 0.9).minimize(loss)
    return test, loss, accuracy, x


def train(exe, program, loss, steps=4):
    """Train and print losses."""
    for _ in range(steps):
        print("loss: {:.6f}".format(np.mean(exe.run(program, feed={"image": X, "label": Y}, fetch_list=[loss])[0])))


def prune(exe, main, test, loss, accuracy, result):
    """Find how much each filter matters, prune, and train on."""

    def evaluate(program):
        return float(np.mean(exe.run(program, feed={"image": X, "label": Y}, fetch_list=[accuracy, loss])[0]))

    for name, losses in sorted(
        slim.prune.sensitivity(test, PLACE, ["one.w_0", "two.w_0"], evaluate, "sens", [0.25, 0.5]).items()
    ):
        print("sensitivity", name, {ratio: round(float(value), 5) for ratio, value in sorted(losses.items())})
    for criterion in ("l1_norm", "geometry_median"):
        pruned, _, _ = slim.prune.Pruner(criterion).prune(
            main.clone(), fluid.global_scope(), ["one.w_0"], [0.5], PLACE, only_graph=True
        )
        print(f"flops: {slim.analysis.flops(pruned)} of {slim.analysis.flops(main)}")
    pruned, _, _ = slim.prune.Pruner().prune(main, fluid.global_scope(), ["one.w_0", "two.w_0"], [0.5, 0.25], PLACE)
    print("shapes", [(p.name, p.shape) for p in sorted(pruned.all_parameters(), key=lambda p: p.name)])
    train(exe, pruned, loss)


def quantize(exe, main, test, loss, accuracy, result):
    """Quantise while training on, and convert."""
    config = {"weight_quantize_type": "channel_wise_abs_max", "activation_quantize_type": "moving_average_abs_max"}
    compiled = slim.quant.quant_aware(main, PLACE, config, for_test=False)
    test = slim.quant.quant_aware(test, PLACE, config, for_test=True)
    train(exe, compiled, loss)
    frozen, _int8 = slim.quant.convert(test, PLACE, config, save_int8=True)
    found = exe.run(frozen, feed={"image": X, "label": Y}, fetch_list=[result, loss])
    print(f"frozen: {np.std(found[0]):.6f} {found[1][0]:.6f}")


def post(exe, main, test, loss, accuracy, result):
    """Quantise a saved model by samples."""
    fluid.io.save_inference_model("float", ["image"], [result], exe, test, model_filename="m", params_filename="p")
    for algorithm in ("KL", "abs_max", "min_max"):
        slim.quant.quant_post_static(
            exe, "float", "int8", sample_generator=lambda: iter([(x,) for x in X]), model_filename="m", params_filename="p",
            batch_size=4, batch_nums=2, algo=algorithm,
        )  # fmt: skip
        program, feeds, fetches = fluid.io.load_inference_model("int8", exe, "__model__", "__params__")
        print(f"{algorithm}: {np.std(exe.run(program, feed={feeds[0]: X}, fetch_list=fetches)[0]):.6f}")


def distill(exe, main, test, loss, accuracy, result):
    """Let a network learn from another one."""
    student, startup = fluid.Program(), fluid.Program()
    student.random_seed = startup.random_seed = 9
    with fluid.program_guard(student, startup):
        image = fluid.data("image", [None, 1, 16, 16])
        small = fluid.layers.conv2d(image, 4, 3, stride=2, padding=1, act="relu", name="small")
        small = fluid.layers.conv2d(small, 8, 3, padding=1, name="small2")
        logits = fluid.layers.fc(small, 2, name="small_last")
    teacher = test.clone(for_test=True)
    slim.dist.merge(teacher, student, {"image": "image", "label": "label"}, PLACE)
    with fluid.program_guard(student, startup):
        names = (result.name, logits.name)
        total = slim.dist.soft_label_loss("teacher_" + names[0], names[1], student) + slim.dist.l2_loss(
            "teacher_two.tmp_1", small.name, student
        )
        fluid.optimizer.Adam(0.01).minimize(total)
    exe.run(startup)
    train(exe, student, total)


def main(task):
    """Train a network first."""
    program, startup = fluid.Program(), fluid.Program()
    program.random_seed = startup.random_seed = 5
    made = build(program, startup)
    exe = fluid.Executor(PLACE)
    exe.run(startup)
    train(exe, program, made[1])
    globals()[task](exe, program, *made)


if __name__ == "__main__":
    main(sys.argv[1])
