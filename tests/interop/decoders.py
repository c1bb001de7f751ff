"""Inference models with a CRF and with a beam search in a While: written by one library, read by another; runs on Python 3.7.

python tests/interop/decoders.py write FOLDER           # paddle_lite; from the root of the repository
PYTHON tests/interop/decoders.py read FOLDER            # PYTHON has paddlepaddle 1.8.5, or 3.3.1 (its predictor)
"""

import os
import sys

import numpy as np

BEAMS, END, WORDS = 2, 1, 6


def crf(fluid):
    """A tagger: LSTM, emissions, the best path."""
    layers = fluid.layers
    ids = fluid.data("x", [None, 1], "int64", lod_level=1)
    table = layers.reshape(fluid.embedding(ids, [10, 4]), [-1, 4])
    emissions = layers.fc(layers.dynamic_lstm(layers.fc(table, 16), 16)[0], 3)
    attr = fluid.ParamAttr(name="transitions")
    layers.linear_chain_crf(emissions, fluid.data("y", [None, 1], "int64", lod_level=1), param_attr=attr)
    return ["x"], [layers.crf_decoding(emissions, param_attr=attr)]


def beam(fluid):
    """Beam search, as the books write it: arrays in a While, sequences in two levels."""
    layers, attr = fluid.layers, fluid.ParamAttr
    context = fluid.data("context", [None, 4])
    first = fluid.data("ids", [None, 1], "int64", lod_level=2)
    first_scores = fluid.data("scores", [None, 1], lod_level=2)
    last = layers.fill_constant([1], "int64", 4)
    i = layers.zeros([1], "int64", force_cpu=True)
    states, ids, scores = (layers.create_array(dtype) for dtype in ("float32", "int64", "float32"))
    for value, array in ((context, states), (first, ids), (first_scores, scores)):
        layers.array_write(value, array=array, i=i)
    going = layers.less_than(i, last)
    loop = layers.While(going)
    with loop.block():
        words, total = layers.array_read(ids, i), layers.array_read(scores, i)
        state = layers.sequence_expand(layers.array_read(states, i), total)
        embedded = layers.embedding(words, [WORDS, 4], param_attr=attr(name="table"))
        state = layers.fc([state, embedded], 4, act="tanh", param_attr=[attr(name="u"), attr(name="w")])
        chances = layers.fc(layers.lod_reset(state, total), WORDS, act="softmax", param_attr=attr(name="out"))
        best, which = layers.topk(chances, k=BEAMS)
        summed = layers.elementwise_add(layers.log(best), layers.reshape(total, [-1]), axis=0)
        chosen, chosen_scores = layers.beam_search(words, total, which, summed, BEAMS, end_id=END, level=0)
        layers.increment(i, 1, in_place=True)
        for value, array in ((state, states), (chosen, ids), (chosen_scores, scores)):
            layers.array_write(value, array=array, i=i)
        alive = layers.logical_not(layers.is_empty(chosen))
        layers.logical_and(layers.less_than(i, last), alive, out=going)
    return ["context", "ids", "scores"], list(layers.beam_search_decode(ids, scores, beam_size=BEAMS, end_id=END))


MODELS = {"crf": crf, "beam": beam}


def feeds(name):
    """(array, LoD or None) by input."""
    rng = np.random.RandomState(1)
    if name == "crf":
        return {"x": (rng.randint(0, 10, (6, 1)).astype("int64"), [[0, 2, 6]])}
    two = [[0, 1, 2], [0, 1, 2]]
    return {
        "context": (rng.rand(2, 4).astype("float32"), None),
        "ids": (np.zeros((2, 1), "int64"), two),
        "scores": (np.ones((2, 1), "float32"), two),
    }


def fed(fluid, name):
    """What an Executor is fed with."""
    values = {}
    for key, (array, lod) in feeds(name).items():
        values[key] = array
        if lod is not None:
            values[key] = fluid.LoDTensor()
            values[key].set(array, fluid.CPUPlace())
            values[key].set_lod(lod)
    return values


def write(fluid, folder):
    """Save each model with what it gives."""
    for name, build in MODELS.items():
        main, startup = fluid.Program(), fluid.Program()
        startup.random_seed = 5
        with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
            inputs, outputs = build(fluid)
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(startup)
            below = os.path.join(folder, name)
            fluid.io.save_inference_model(below, inputs, outputs, exe, main, "net.pdmodel", "net.pdiparams")
            names = [v.name for v in outputs]
            found = exe.run(main.clone(for_test=True), feed=fed(fluid, name), fetch_list=names, return_numpy=False)
            np.savez(os.path.join(below, "expected.npz"), *[np.array(t) for t in found])


def read_by_executor(fluid, folder, name):
    """What a model gives, run by an Executor."""
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        program, _, fetches = fluid.io.load_inference_model(folder, exe, "net.pdmodel", "net.pdiparams")
        return [np.array(t) for t in exe.run(program, feed=fed(fluid, name), fetch_list=fetches, return_numpy=False)]


def read_by_predictor(inference, folder, name):
    """What a model gives, run by the predictor of PaddlePaddle 3."""
    config = inference.Config(os.path.join(folder, "net.pdmodel"), os.path.join(folder, "net.pdiparams"))
    config.disable_glog_info()
    predictor = inference.create_predictor(config)
    for key, (array, lod) in feeds(name).items():
        handle = predictor.get_input_handle(key)
        handle.copy_from_cpu(array)
        if lod is not None:
            handle.set_lod(lod)
    predictor.run()
    return [predictor.get_output_handle(n).copy_to_cpu() for n in predictor.get_output_names()]


def differences(folder, read):
    """(model, the largest difference from what was written with it)."""
    for name in MODELS:
        below = os.path.join(folder, name)
        with np.load(os.path.join(below, "expected.npz")) as file:
            expected = [file[key] for key in file.files]
        pairs = zip(read(below, name), expected)
        yield name, max(float(np.abs(got.astype("float64").ravel() - want.ravel()).max()) for got, want in pairs)


def main(action, folder):
    if action == "write":
        sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        import paddle_lite.fluid as fluid

        write(fluid, folder)
        return
    try:
        import paddle.fluid as fluid

        found = differences(folder, lambda below, name: read_by_executor(fluid, below, name))
    except ImportError:
        from paddle import inference

        found = differences(folder, lambda below, name: read_by_predictor(inference, below, name))
    for name, difference in found:
        print(f"{name:5} differs by at most {difference:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
