"""A Model trains, evaluates and predicts in both modes, with several optimizers and schedules."""

import contextlib
import os
import re
import sys
import tempfile

import numpy as np


@contextlib.contextmanager
def mode(fluid, dynamic):
    """A fresh start in imperative or static mode, with a fixed seed."""
    main, startup = fluid.Program(), fluid.Program()
    entered = fluid.dygraph.guard(fluid.CPUPlace()) if dynamic else _nothing()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard(), entered:
        for program in (fluid.default_main_program(), fluid.default_startup_program()):
            program.random_seed = 33
        yield


@contextlib.contextmanager
def printed():
    """The list of the lines that are printed, without times."""
    lines = []

    class Stream:
        def write(self, text):
            lines.append(re.sub(r"( - ETA: \S+)? - \d+[mu]?s/step", "", text))

        def flush(self):
            pass

    before, sys.stdout = sys.stdout, Stream()
    try:
        yield lines
    finally:
        sys.stdout = before


@contextlib.contextmanager
def _nothing():
    yield


def dataset(fluid, count, labelled=True):
    """Random samples with 20 numbers, and labels of 5 classes."""
    random = np.random.RandomState(count)
    x, y = random.rand(count, 20).astype("float32"), random.randint(0, 5, (count, 1)).astype("int64")

    class Data(fluid.io.Dataset):
        def __getitem__(self, i):
            return (x[i], y[i]) if labelled else (x[i],)

        def __len__(self):
            return count

    return Data()


def network(fluid, hapi):
    """A Model with two layers and a parameter of its own."""

    class Net(hapi.model.Model):
        def __init__(self):
            super().__init__()
            self.first = fluid.dygraph.Linear(20, 16, act="relu")
            self.second = fluid.dygraph.Linear(16, 5)
            self.shift = self.create_parameter([5], is_bias=True)

        def forward(self, x):
            return self.second(self.first(x)) + self.shift

    return Net()


def optimizer(fluid, kind, dynamic, parameters):
    if kind == "sgd":
        return fluid.optimizer.SGD(0.1, parameter_list=parameters)
    if kind == "adam":
        return fluid.optimizer.Adam(0.01, parameter_list=parameters)
    if kind == "noam":
        rate = fluid.dygraph.NoamDecay(16, 4) if dynamic else fluid.layers.noam_decay(16, 4)
        return fluid.optimizer.Adam(rate, parameter_list=parameters)
    bounds, rates = [3, 6], [0.1, 0.01, 0.001]
    rate = fluid.dygraph.PiecewiseDecay(bounds, rates, 0) if dynamic else fluid.layers.piecewise_decay(bounds, rates)
    decay = fluid.regularizer.L2Decay(1e-3)
    return fluid.optimizer.Momentum(rate, 0.9, parameter_list=parameters, regularization=decay)


def prepared(fluid, hapi, kind, dynamic):
    model = network(fluid, hapi)
    inputs, labels = (
        [hapi.model.Input([None, 20], "float32", name="x")],
        [hapi.model.Input([None, 1], "int64", name="y")],
    )
    made = optimizer(fluid, kind, dynamic, model.parameters())
    loss, accuracy = hapi.loss.SoftmaxWithCrossEntropy(), hapi.metrics.Accuracy(topk=(1, 2))
    model.prepare(made, loss, accuracy, inputs, labels, device="cpu")
    return model


def results(fluid, model):
    """What fit, evaluate, predict and single batches return and print."""
    with printed() as lines:
        model.fit(dataset(fluid, 50), dataset(fluid, 21), batch_size=8, epochs=2, log_freq=3)
        found = model.evaluate(dataset(fluid, 33), batch_size=10)
    batches = model.predict(dataset(fluid, 17, False), batch_size=5)
    stacked = model.predict(dataset(fluid, 17, False), batch_size=5, stack_outputs=True)
    batch = _batch(fluid, 8)
    (loss,), (accuracies,) = model.train_batch(batch[:1], batch[1:])
    (eval_loss,), _ = model.eval_batch(batch[:1], batch[1:])
    return {
        "printed": "".join(lines),
        "loss": np.float32(found["loss"]),
        "accuracies": np.array([found["acc_top1"], found["acc_top2"]]),
        "batches": np.array([len(each) for each in batches[0]]),
        "stacked": stacked[0],
        "train_loss": loss,
        "train_accuracies": np.array(accuracies),
        "eval_loss": eval_loss,
    }


def _batch(fluid, count):
    data = dataset(fluid, count)
    samples = [data[i] for i in range(count)]
    return [np.stack(values) for values in zip(*samples)]


def trained(kind, dynamic):
    def case(fluid, hapi):
        with mode(fluid, dynamic):
            return results(fluid, prepared(fluid, hapi, kind, dynamic))

    return case


def loaded(kind, dynamic):
    """The files that one mode wrote are loaded in the other."""

    def case(fluid, hapi):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "checkpoints", "model")
            with mode(fluid, not dynamic):
                model = prepared(fluid, hapi, kind, not dynamic)
                model.fit(dataset(fluid, 24), batch_size=8, verbose=0)
                model.save(path)
                files = sorted(os.listdir(os.path.dirname(path)))
            with mode(fluid, dynamic):
                model = prepared(fluid, hapi, kind, dynamic)
                model.load(path)
                return dict(results(fluid, model), files=",".join(files))

    return case


KINDS = ("sgd", "adam", "noam", "piecewise")
CASES = {
    "{}, {}".format(kind, "imperative" if dynamic else "static"): trained(kind, dynamic)
    for kind in KINDS
    for dynamic in (True, False)
}
CASES.update(
    {
        "{}, loaded in {} mode".format(kind, "imperative" if dynamic else "static"): loaded(kind, dynamic)
        for kind in ("sgd", "adam")
        for dynamic in (True, False)
    }
)
