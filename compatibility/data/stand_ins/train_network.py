"""Trains a network of a project that has no small training of its own, and deploys it.

    train_network.py static IMPORTS EXPRESSION NAME=SHAPE ...
    train_network.py dygraph IMPORTS LAYER EXPRESSION NAME=SHAPE ...

IMPORTS are run, LAYER makes `model`, EXPRESSION computes its results from the inputs. A SHAPE is numbers with an x
between, such as 2x3x32x32; 2x7<50 are whole numbers from 0 to 49, and 5x4:3,2 the rows of two sequences. Two steps of Momentum bring the results nearer to 0.1; they are few and small, since batch
normalisation of few numbers makes much of the last bit. Before them, a Program is saved for inference and run by a
predictor; after them, a Layer is saved, loaded and traced.
"""

import os
import shutil
import sys

import numpy as np
import paddle.fluid as fluid

STEPS = int(os.environ.get("STEPS", "2"))  # 0 where 1.8.5 takes minutes for a gradient, as of instance_norm


def arrays(words):
    """Return an array for each NAME=SHAPE."""
    rng = np.random.RandomState(5)
    made = {}
    for word in words:
        name, text = word.split("=")
        text, _, lengths = text.partition(":")
        text, _, most = text.partition("<")
        shape = [int(size) for size in text.split("x")]
        made[name] = rng.randint(0, int(most), shape) if most else rng.uniform(-1, 1, shape).astype("float32")
        if lengths:
            lod = [[int(length) for length in lengths.split(",")]]
            made[name] = fluid.create_lod_tensor(made[name], lod, fluid.CPUPlace())
    return made


def flat(result):
    """Return the Variables of a result that may be nested."""
    if isinstance(result, dict):
        result = [result[key] for key in sorted(result)]
    if isinstance(result, (list, tuple)):
        return [each for part in result for each in flat(part)]
    return [result]


def loss_of(results):
    """Return how far results are from 0.1."""
    layers = fluid.layers
    floats = [each for each in results if each.dtype == fluid.core.VarDesc.VarType.FP32]
    terms = [layers.reduce_mean(layers.square(each - 0.1)) for each in floats]
    return layers.sums(terms) if len(terms) > 1 else terms[0]


def show(what, values):
    """Print the mean and the spread of each array."""
    for value in values:
        value = np.array(value).astype("float64")
        print(f"{what}: {value.mean():.6f} {value.std():.6f} {value.shape}")


def static(imports, expression, words):
    """Build the network as a Program."""
    feed = arrays(words)
    names = {}
    exec(imports, names)
    for name, value in feed.items():
        ragged = int(isinstance(value, fluid.LoDTensor))
        rows = np.array(value)
        names[name] = fluid.data(name, [-1] + list(rows.shape[1:]), str(rows.dtype), lod_level=ragged)
    results = flat(eval(expression, names))
    main = fluid.default_main_program()
    test = main.clone(for_test=True)
    loss = loss_of(results)
    if STEPS:
        fluid.optimizer.Momentum(1e-4, 0.9).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    show("result", exe.run(test, feed=feed, fetch_list=results, return_numpy=False))
    shutil.rmtree("deployed", ignore_errors=True)
    fluid.io.save_inference_model("deployed", list(feed), results, exe, main, params_filename="__params__")
    config = fluid.core.AnalysisConfig("deployed/__model__", "deployed/__params__")
    config.disable_gpu()
    config.switch_use_feed_fetch_ops(False)
    config.switch_specify_input_names(True)
    predictor = fluid.core.create_paddle_predictor(config)
    for name in predictor.get_input_names():
        given = predictor.get_input_tensor(name)
        given.copy_from_cpu(np.ascontiguousarray(feed[name]))
        if isinstance(feed[name], fluid.LoDTensor):
            given.set_lod(feed[name].lod())
    predictor.zero_copy_run()
    show("deployed", [predictor.get_output_tensor(name).copy_to_cpu() for name in predictor.get_output_names()])
    for _ in range(STEPS):
        print(f"loss: {exe.run(main, feed=feed, fetch_list=[loss])[0].item():.6f}")


def dygraph(imports, layer, expression, words):
    """Run the network as a Layer."""
    feed = arrays(words)
    with fluid.dygraph.guard(fluid.CPUPlace()):
        names = {}
        exec(imports, names)
        names["model"] = model = eval(layer, names)
        inputs = {name: fluid.dygraph.to_variable(value) for name, value in feed.items()}
        names.update(inputs)
        model.train()
        eval(expression, names)  # some layers make their parameters at the first call
        optimizer = fluid.optimizer.Momentum(1e-4, 0.9, parameter_list=model.parameters())
        for _ in range(STEPS):
            loss = loss_of(flat(eval(expression, names)))
            loss.backward()
            optimizer.minimize(loss)
            model.clear_gradients()
            print(f"loss: {loss.numpy().item():.6f}")
        fluid.save_dygraph(model.state_dict(), "saved")
        if STEPS:
            fluid.save_dygraph(optimizer.state_dict(), "saved")
        state, _ = fluid.load_dygraph("saved")
        model.set_dict(state)
        model.eval()
        show("result", [each.numpy() for each in flat(eval(expression, names))])
        if expression == f"model({', '.join(feed)})":
            traced = fluid.dygraph.TracedLayer.trace(model, list(inputs.values()))[1]
            show("deployed", [np.array(each) for each in traced(list(inputs.values()))])


if __name__ == "__main__":
    if sys.argv[1] == "static":
        static(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        dygraph(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
