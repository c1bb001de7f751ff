"""Trains a model of PaddleCV/video with made-up features, saves it, and asks what was saved.

    train_video.py MODEL CONFIG SECTION.KEY=VALUE ...

The values take the place of those of the configuration. Three steps are made with the optimizer of the model; then its
parameters are saved, loaded by the model itself into its Program for inference, and that Program is saved and run. A
file of twenty words, words.txt, is there for models that want one.
"""

import ast
import sys

import models
import numpy as np
import paddle.fluid as fluid
from utils.config_utils import parse_config

LENGTHS = [3, 2]


def made(variable, batch, classes, rng):
    """Return numbers for an input of so many examples."""
    lengths = LENGTHS[:batch]
    shape = [sum(lengths) if variable.lod_level else batch] + list(variable.shape[1:])
    kind = fluid.data_feeder.convert_dtype(variable.dtype)
    if variable.name == "init_ids":
        return fluid.create_lod_tensor(np.zeros([batch, 1], kind), [[1] * batch] * 2, fluid.CPUPlace())
    if variable.name == "init_scores":
        return fluid.create_lod_tensor(np.ones([batch, 1], kind), [[1] * batch] * 2, fluid.CPUPlace())
    if kind == "float32":
        numbers = rng.uniform(0, 1, shape).astype(kind)
        if "label" in variable.name:
            numbers = (numbers > 0.8).astype(kind)
    else:
        numbers = rng.randint(0, classes, shape).astype(kind)
    return fluid.create_lod_tensor(numbers, [lengths], fluid.CPUPlace()) if variable.lod_level else numbers


def show(what, values):
    """Print each array's mean and spread."""
    for value in values:
        value = np.array(value).astype("float64")
        print(f"{what}: {value.mean():.6f} {value.std():.6f} {value.shape}")


def build(name, config, mode):
    """Return the model of a mode, what it wants fetched, and the Program that it builds."""
    program = fluid.Program()
    program.random_seed = 5
    with fluid.program_guard(program, startup), fluid.unique_name.guard():
        model = models.get_model(name, config, mode=mode)
        model.build_input(use_dataloader=False)
        model.build_model()
        results = [each for each in model.fetches() if each is not None]
        if mode == "train":
            model.optimizer().minimize(results[0])
    return model, results, program if mode == "train" else program.clone(for_test=True)


def configured(file, changes):
    """Return a configuration with values replaced."""
    config = parse_config(file)
    for change in changes:
        section, rest = change.split(".", 1)
        key, value = rest.split("=", 1)
        config[section][key] = ast.literal_eval(value)
    return config


if __name__ == "__main__":
    name, file, changes = sys.argv[1], sys.argv[2], sys.argv[3:]
    startup = fluid.Program()
    startup.random_seed = 5
    config = configured(file, changes)
    classes = config.MODEL.get("num_classes", 10)
    rng = np.random.RandomState(5)
    with open("words.txt", "w") as words:
        words.write("".join(f"word{word}\n" for word in range(20)))
    exe = fluid.Executor(fluid.CPUPlace())
    model, results, program = build(name, config, "train")
    exe.run(startup)
    feed = {variable.name: made(variable, 2, classes, rng) for variable in model.feeds()}
    for _ in range(3):
        show("trained", exe.run(program, feed=feed, fetch_list=results, return_numpy=False))
    fluid.save(program, "saved/" + name)

    model, results, program = build(name, config, "infer")
    exe.run(startup)
    model.load_test_weights(exe, "saved/" + name, program, fluid.CPUPlace())
    feed = {variable.name: made(variable, 1, classes, rng) for variable in model.feeds()}
    show("asked", exe.run(program, feed=feed, fetch_list=results, return_numpy=False))
    fluid.io.save_inference_model("deployed", list(feed), results, exe, program)
    program, names, results = fluid.io.load_inference_model("deployed", exe)
    show("deployed", exe.run(program, feed={key: feed[key] for key in names}, fetch_list=results, return_numpy=False))
