"""A training by a Trainer, for the recorder (any Python from 3.5 on) and the tests."""

import os

import numpy as np

SAMPLES = np.random.RandomState(3).uniform(-1, 1, [24, 4]).astype("float32")


def net(fluid):
    x = fluid.layers.data("x", [3])
    start = fluid.initializer.Constant
    hidden = fluid.layers.dropout(fluid.layers.fc(x, 2, param_attr=start(0.2), act="tanh"), 0.0)
    return fluid.layers.fc(hidden, 1, param_attr=start(0.5))


def losses(fluid):
    y = fluid.layers.data("y", [1])
    error = fluid.layers.square_error_cost(net(fluid), y)
    return [fluid.layers.mean(error), fluid.layers.reduce_max(error)]


def batches():
    for start in range(0, 24, 4):
        yield [(row[:3], row[3:]) for row in SAMPLES[start : start + 4]]


class Interrupted(Exception):
    """What the event handler raises in the middle of a training."""


def run(fluid, trainers, inferencers, folder):
    """Return what events, metrics, tests, a resumed training and an Inferencer give."""
    events = []

    def handle(event):
        numbers = [event.epoch, getattr(event, "step", -1)]
        events.append(" ".join([type(event).__name__] + [str(n) for n in numbers]))
        if isinstance(event, trainers.BeginStepEvent) and event.step == 1:
            event.fetch_metrics = False
        if isinstance(event, trainers.EndStepEvent):
            metrics.append(np.array([np.array(m).ravel()[0] for m in event.metrics]))
            if (event.epoch, event.step) == stop_at:
                raise Interrupted
            if (event.epoch, event.step) == (1, 3):
                trainer.stop()

    found = {}
    where, order = os.path.join(folder, "checkpoints"), ["x", "y"]
    for name, stop_at in (("first", (0, 5)), ("resumed", None)):
        metrics = []
        with fluid.unique_name.guard():
            trainer = trainers.Trainer(
                lambda: losses(fluid),
                lambda: fluid.optimizer.Momentum(0.1, 0.9),
                place=fluid.CPUPlace(),
                checkpoint_config=trainers.CheckpointConfig(where, 2, 1, 2),
            )
        try:
            trainer.train(3, handle, batches, order if stop_at else {"y": 1, "x": 0})
        except Interrupted:
            events.append("interrupted, with " + " ".join(sorted(os.listdir(where))))
        found.update({name + " " + str(i): m for i, m in enumerate(metrics)})
    events.append("ended, with " + " ".join(sorted(os.listdir(where))))
    found["tested"] = np.array(trainer.test(batches, order))
    trainer.save_params(os.path.join(folder, "params"))
    events.append("saved " + " ".join(sorted(os.listdir(os.path.join(folder, "params")))))
    inferencer = inferencers.Inferencer(lambda: net(fluid), os.path.join(folder, "params"), fluid.CPUPlace())
    found["inferred"] = inferencer.infer({"x": SAMPLES[:2, :3]})[0]
    found["events"] = np.array(events)
    return found
