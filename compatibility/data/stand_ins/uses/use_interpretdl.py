"""Explains what small networks say by the interpreters of InterpretDL 0.1: `use_interpretdl.py`, of pictures made here."""

import interpretdl
import numpy as np
import paddle.fluid as fluid

SIZE = [3, 32, 32]
RNG = np.random.RandomState(5)


def network(image):
    """Return the probabilities of three kinds."""
    x = fluid.layers.conv2d(image, 8, 3, padding=1, act="relu", name="first")
    x = fluid.layers.batch_norm(fluid.layers.conv2d(x, 8, 3, stride=2, padding=1, name="last"), act="relu")
    x = fluid.layers.pool2d(x, pool_type="avg", global_pooling=True)
    return fluid.layers.fc(x, 3, act="softmax")


def of_words(ids, *alpha):
    """Return the probabilities of two kinds of sentences, and their embeddings if a factor is given for these."""
    rows = fluid.embedding(ids, [50, 8])
    for factor in alpha:
        rows = rows * factor
    pooled = fluid.layers.sequence_pool(fluid.layers.fc(rows, 8, act="tanh"), "max")
    probabilities = fluid.layers.fc(pooled, 2, act="softmax")
    return (rows, probabilities) if alpha else probabilities


def save(build, data, folder):
    """Save the parameters with which a network starts."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        build(data())
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    fluid.io.save_persistables(exe, folder, main)


def show(name, found):
    """Print what an interpreter found."""
    found = np.asarray(found, "float64")
    print(f"{name}: {found.shape} mean {found.mean():.6f} spread {found.std():.6f}")


def pictures():
    """Explain two pictures."""
    save(network, lambda: fluid.data("data", [None] + SIZE), "cnn")
    images = RNG.randint(0, 255, (2, 32, 32, 3)).astype("uint8")
    images[:, 8:20, 10:24] = 230
    made = {"paddle_model": network, "trained_model_path": "cnn", "use_cuda": False, "model_input_shape": SIZE}
    shown = {"visual": False}
    show("smooth", interpretdl.SmoothGradInterpreter(**made).interpret(images, n_samples=4, noise_amount=0.0, **shown))
    show("integrated", interpretdl.IntGradCVInterpreter(**made).interpret(images, labels=[0, 1], steps=5, **shown))
    show("shap", interpretdl.GradShapCVInterpreter(**made).interpret(images, n_samples=3, noise_amount=0.0, **shown))
    show("grad_cam", interpretdl.GradCAMInterpreter(**made).interpret(images, "last.tmp_1", **shown))
    show("score_cam", interpretdl.ScoreCAMInterpreter(**made).interpret(images, "last.tmp_1", **shown))
    show("occlusion", interpretdl.OcclusionInterpreter(**made).interpret(images, (3, 8, 8), strides=(1, 8, 8), **shown))


def sentences():
    """Explain two sentences of different lengths."""
    save(of_words, lambda: fluid.data("data", [None], "int64", lod_level=1), "words")
    ids = np.array([3, 7, 9, 2, 30, 4, 4, 11, 29], "int64")
    data = fluid.create_lod_tensor(ids, [[4, 5]], fluid.CPUPlace())
    made = {"paddle_model": of_words, "trained_model_path": "words", "use_cuda": False}
    labels, probabilities, found = interpretdl.IntGradNLPInterpreter(**made).interpret(data, steps=5, visual=False)
    show("integrated words", found)
    print("labels", np.ravel(labels), "probabilities: {:.6f} {:.6f}".format(*tuple(np.ravel(probabilities)[:2])))
    found = interpretdl.GradShapNLPInterpreter(**made).interpret(data, n_samples=2, noise_amount=0.0, visual=False)
    show("shap words", found[-1])


if __name__ == "__main__":
    pictures()
    sentences()
