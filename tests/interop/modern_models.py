"""Models of PaddlePaddle 2.6.2, and what it reads: run by an interpreter that has paddlepaddle 2.6.2.

PYTHON tests/interop/modern_models.py write FOLDER [small]      # models, each with an input and what it predicts
PYTHON tests/interop/modern_models.py check FOLDER              # a folder that `nets.write` made
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tests.interop import nets

if __name__ == "__main__":
    import paddle


class Lines:
    """In place of `traceback`: Paddle writes into each operator which lines made it, with this machine's paths."""

    @staticmethod
    def extract_stack():
        return []

    @staticmethod
    def format_stack():
        return ["net.py, line 1"] * 2


def image(size, channels=3):
    return np.random.RandomState(0).rand(2, channels, size, size).astype("float32")


def blocks(name):
    """The blocks of a net of paddle.vision, with few channels."""
    nn, models = paddle.nn, paddle.vision.models
    if name == "resnet":
        block = models.resnet.BasicBlock
        down = nn.Sequential(nn.Conv2D(4, 6, 1, stride=2, bias_attr=False), nn.BatchNorm2D(6))
        body = [nn.MaxPool2D(3, 2, 1), block(4, 4), block(4, 6, 2, down)]
    else:
        block = models.mobilenetv2.InvertedResidual
        body = [nn.ReLU6(), block(4, 4, 1, 2), block(4, 6, 2, 2)]
    stem = [nn.Conv2D(3, 4, 3, stride=2, padding=1, bias_attr=False), nn.BatchNorm2D(4), nn.ReLU()]
    return nn.Sequential(*stem, *body, nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(6, 3))


def encoder(x):
    """A transformer encoder over words, with a mask of their padding and positions."""
    nn, width = paddle.nn, 8
    mask = ((x == 0).astype("float32") * -1e9).unsqueeze([1, 2])
    places = paddle.arange(0, paddle.shape(x)[1], dtype="int64")
    hidden = nn.Embedding(10, width)(x) + nn.Embedding(6, width)(places)
    layer = nn.TransformerEncoderLayer(width, 2, 12, activation="gelu", normalize_before=True)
    found = nn.TransformerEncoder(layer, 2, nn.LayerNorm(width))
    found.eval()
    return nn.functional.log_softmax(nn.Linear(width, 3)(found(hidden, mask).mean(1)))


def net(layer):
    def made(x):
        layer.eval()
        return layer(x)

    return made


def models(small):
    """name -> (input, a function from the Variable of the input to that of the result)."""
    words = np.random.RandomState(0).randint(0, 9, (2, 5)).astype("int64")
    found = {
        "resnet": (image(16), lambda x: net(blocks("resnet"))(x)),
        "mobilenet": (image(16), lambda x: net(blocks("mobilenet"))(x)),
        "encoder": (words, encoder),
    }
    if not small:
        library = paddle.vision.models
        found["lenet"] = (image(28, 1), lambda x: net(library.LeNet())(x))
        found["resnet18"] = (image(64), lambda x: net(library.resnet18(num_classes=5))(x))
        found["mobilenet_v2"] = (image(64), lambda x: net(library.mobilenet_v2(scale=0.25, num_classes=5))(x))
        found["mobilenet_v3"] = (image(64), lambda x: net(library.mobilenet_v3_small(scale=0.35, num_classes=5))(x))
        found["shufflenet"] = (image(64), lambda x: net(library.shufflenet_v2_x0_25(num_classes=5))(x))
    return found


def train(folder):
    """A small net's training, written after some steps by `paddle.static.save`, and how it goes on."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        paddle.seed(1)
        x, y = paddle.static.data("x", [None, 4]), paddle.static.data("y", [None, 1])
        hidden = paddle.nn.Linear(4, 5)(x)
        result = paddle.nn.Linear(5, 1)(paddle.nn.functional.gelu(hidden))
        loss = paddle.mean(paddle.nn.functional.square_error_cost(result, y))
        paddle.optimizer.Adam(0.05).minimize(loss)
    exe, feeds = paddle.static.Executor(paddle.CPUPlace()), nets.batches("mlp")
    with paddle.static.scope_guard(paddle.static.Scope()):
        exe.run(startup)
        nets.losses(exe, main, loss, feeds[: nets.STEPS])
        paddle.static.save(main, os.path.join(folder, "training"))
        np.savez(os.path.join(folder, "training.npz"), losses=nets.losses(exe, main, loss, feeds[nets.STEPS :]))


def write(folder, small):
    paddle.base.framework.traceback = Lines
    train(folder)
    for name, (value, make) in models(small).items():
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            paddle.seed(1)
            x = paddle.static.data("x", [None] + list(value.shape[1:]), str(value.dtype))
            result = make(x)
            exe = paddle.static.Executor(paddle.CPUPlace())
            with paddle.static.scope_guard(paddle.static.Scope()):
                exe.run(startup)
                paddle.static.save_inference_model(os.path.join(folder, name), [x], [result], exe, program=main)
                (found,) = exe.run(main.clone(for_test=True), feed={"x": value}, fetch_list=[result])
        np.savez_compressed(os.path.join(folder, name + ".npz"), x=value, prediction=found)


def check(folder):
    """Predictions of 1.8.5's models, and training that goes on; yields (what, what it gives, what it should give)."""
    for name in nets.NETS:
        below, feeds = os.path.join(folder, name), nets.prepared(paddle.base.core.LoDTensor, paddle.CPUPlace(), name)
        expected = np.load(os.path.join(below, "expected.npz"))
        exe = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()):
            program, (x,), targets = paddle.static.load_inference_model(os.path.join(below, "net"), exe)
            found = np.array(exe.run(program, feed={x: feeds[0]["x"]}, fetch_list=targets, return_numpy=False)[0])
        yield name + ": one file", found, expected["prediction"]
        if name == "conv_net" or name in nets.LOOPS:  # 2.6.2 cannot train a batch_norm of 1.8.5's files
            continue
        with open(os.path.join(below, "train.pdmodel"), "rb") as file:
            program = paddle.static.Program.parse_from_string(file.read())
        with paddle.static.scope_guard(paddle.static.Scope()):
            paddle.static.set_program_state(program, state_of(below, program))
            loss = next(op.output("Out")[0] for op in program.global_block().ops if op.type == "mean")
            yield name + ": training", nets.losses(exe, program, loss, feeds[nets.STEPS :]), expected["losses"]


def state_of(below, program):
    """The state of a Program from fluid.save's files; the Scope gets its variables."""
    state = paddle.static.load_program_state(os.path.join(below, "train"))
    for name, value in state.items():
        paddle.static.global_scope().var(name).get_tensor().set(value, paddle.CPUPlace())
    return state


if __name__ == "__main__":
    paddle.enable_static()
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3:] == ["small"])
    else:
        nets.report(check(sys.argv[2]))
