"""Models that Fluid before 1.8 wrote: nets that every version builds, trains, writes and reads alike. Runs on Python 3.5 and newer.

    PYTHON tests/interop/former_models.py       # PYTHON: an interpreter that has paddlepaddle 1.6.1 or 1.7.2

writes tests/interop/data/former/VERSION.zip. The package paddlepaddle-tiny has 1.6.1, paddlepaddle-gpu has 1.7.2.
"""

import os
import shutil
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 2


def numbers(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def images(fluid):
    image, label = fluid.layers.data("image", [1, 6, 6]), fluid.layers.data("label", [1], dtype="int64")
    hidden = fluid.layers.batch_norm(fluid.layers.conv2d(image, 3, 3, padding=1), act="relu")
    hidden = fluid.layers.dropout(fluid.layers.pool2d(hidden, 2, "max", 2), 0.0)
    result = fluid.layers.fc(hidden, 3, act="softmax")
    loss = fluid.layers.mean(fluid.layers.cross_entropy(result, label))
    rate = fluid.layers.exponential_decay(0.01, 2, 0.5, staircase=True)
    fluid.optimizer.Adam(rate, regularization=fluid.regularizer.L2Decay(1e-3)).minimize(loss)
    return {"image": numbers(1, 4, 1, 6, 6)}, {"label": np.array([[0], [2], [1], [2]], "int64")}, result, loss


def words(fluid):
    ids = fluid.layers.data("ids", [1], dtype="int64", lod_level=1)
    score = fluid.layers.data("score", [1])
    embedded = fluid.layers.embedding(ids, [11, 4], is_sparse=True)
    hidden, _ = fluid.layers.dynamic_lstm(fluid.layers.fc(embedded, 12), 12, use_peepholes=True)
    result = fluid.layers.fc(fluid.layers.sequence_pool(hidden, "last"), 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(result, score))
    fluid.optimizer.Momentum(0.1, 0.9, use_nesterov=True).minimize(loss)
    given = fluid.create_lod_tensor(np.array([[1], [9], [4], [4], [0]], "int64"), [[2, 3]], fluid.CPUPlace())
    return {"ids": given}, {"score": numbers(2, 2, 1)}, result, loss


NETS = {"images": images, "words": words}


class Built:
    """A net with the Programs that train it."""

    def __init__(self, fluid, name):
        self.fluid, self.main, self.startup, self.scope = fluid, fluid.Program(), fluid.Program(), fluid.Scope()
        self.main.random_seed = self.startup.random_seed = 5
        with fluid.program_guard(self.main, self.startup), fluid.unique_name.guard():
            self.feed, self.labels, self.result, self.loss = NETS[name](fluid)
        self.exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(self.scope):
            self.exe.run(self.startup)

    def losses(self):
        """Train on and return the losses."""
        feed = dict(self.feed, **self.labels)
        with self.fluid.scope_guard(self.scope):
            return np.array([self.exe.run(self.main, feed, [self.loss])[0].item() for _ in range(STEPS)])

    def prediction(self):
        with self.fluid.scope_guard(self.scope):
            program = self.main.clone(for_test=True)._prune([self.result])
            return self.exe.run(program, self.feed, [self.result])[0]


def write_static(fluid, name, folder):
    """Write what the functions of fluid.io write, and return what comes of it."""
    built = Built(fluid, name)
    built.losses()
    with fluid.scope_guard(built.scope):
        for kind in ("params", "persistables"):
            save = getattr(fluid.io, "save_" + kind)
            save(built.exe, os.path.join(folder, kind), built.main)
            save(built.exe, os.path.join(folder, kind + " in one"), built.main, filename="all")
        for part, files in (("model", (None, None)), ("model in one", ("net", "values"))):
            names = list(built.feed)
            where = os.path.join(folder, part)
            fluid.io.save_inference_model(where, names, [built.result], built.exe, built.main, *files)
        if hasattr(fluid, "save"):
            os.makedirs(os.path.join(folder, "saved"))
            fluid.save(built.main, os.path.join(folder, "saved", "net"))
            os.remove(os.path.join(folder, "saved", "net.pdmodel"))  # the largest of all, and a Program as in `model`
        # an inference model is the Program without its optimizer
        program, _, targets = fluid.io.load_inference_model(os.path.join(folder, "model"), built.exe)
        prediction = built.exe.run(program, built.feed, targets)[0]
    return {"prediction": prediction, "losses": built.losses()}


def imperative_net(fluid, scoped):
    """Return a Layer, in the form of 1.3 to 1.6 if `scoped`, else in that of 1.7."""
    d = fluid.dygraph

    class Net(d.Layer):
        def __init__(self):
            super().__init__(*(["net"] if scoped else []))
            scope = [self.full_name()] if scoped else []
            self.conv = d.Conv2D(*scope, num_filters=2, filter_size=3, **({} if scoped else {"num_channels": 1}))
            self.norm = d.BatchNorm(*(scope + [2]), act="relu")
            self.last = d.FC(scope[0], 3) if scoped else d.Linear(32, 3)

        def forward(self, x):
            hidden = self.norm(self.conv(x))
            return self.last(hidden if scoped else fluid.layers.reshape(hidden, [-1, 32]))

    return Net()


def imperative_steps(fluid, net, adam, count=STEPS):
    found = []
    for _ in range(count):
        result = net(fluid.dygraph.to_variable(numbers(1, 4, 1, 6, 6)))
        loss = fluid.layers.mean(fluid.layers.square(result))
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        found.append(loss.numpy().item())
    return np.array(found)


def write_imperative(fluid, folder):
    """Write state dicts of imperative mode, and return what comes of the net."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = 5
        scoped = not hasattr(fluid.dygraph, "Linear")
        net = imperative_net(fluid, scoped)
        adam = fluid.optimizer.Adam(0.01, **({} if scoped else {"parameter_list": net.parameters()}))
        imperative_steps(fluid, net, adam)
        fluid.dygraph.save_dygraph(net.state_dict(), os.path.join(folder, "net"))
        fluid.dygraph.save_dygraph(adam.state_dict(), os.path.join(folder, "net"))
        return {"losses": imperative_steps(fluid, net, adam)}


def main():
    import paddle
    import paddle.fluid as fluid

    folder = tempfile.mkdtemp()
    found = {}
    for name in NETS:
        for key, value in write_static(fluid, name, os.path.join(folder, name)).items():
            found[name + " " + key] = value
    os.makedirs(os.path.join(folder, "imperative"), exist_ok=True)
    found["imperative losses"] = write_imperative(fluid, os.path.join(folder, "imperative"))["losses"]
    np.savez(os.path.join(folder, "known.npz"), **found)
    target = os.path.join(HERE, "data", "former", paddle.__version__)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    print(shutil.make_archive(target, "zip", folder), {key: value.ravel()[:3] for key, value in found.items()})
    shutil.rmtree(folder)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
    main()
