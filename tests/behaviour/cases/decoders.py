"""The decoders of fluid.contrib: training along given words, and beam search."""

import numpy as np

WORDS, SIZE, STATE = 9, 4, 5


def cell_of(fluid, context, inputs):
    """A cell of two states, one of which starts with one number."""
    layers, decoder = fluid.layers, fluid.contrib.decoder
    states = {
        "h": decoder.InitState(init=context, need_reorder=True),
        "c": decoder.InitState(init_boot=context, shape=[-1, STATE], value=0.25),
    }
    cell = decoder.StateCell(inputs=inputs, states=states, out_state="h")

    @cell.state_updater
    def update(cell):
        hidden, kept = cell.get_state("h"), cell.get_state("c")
        made = layers.fc([hidden, cell.get_input("x")], STATE, act="tanh")
        if "more" in inputs:
            made = layers.elementwise_add(made, layers.scale(cell.get_input("more"), 0.3))
        cell.set_state("c", layers.elementwise_add(kept, made))
        cell.set_state("h", layers.elementwise_add(made, layers.scale(kept, 0.1)))

    return cell


def context_of(fluid):
    source = fluid.data("source", [None, 3], lod_level=1)
    return fluid.layers.sequence_last_step(fluid.layers.fc(source, STATE, act="tanh"))


def ran(fluid, main, startup, feed, fetches, steps, ending=0.0):
    """Every result of every step, with its LoD, from parameters that depend on their order; word 1 is preferred by `ending`."""
    place = fluid.CPUPlace()
    exe, scope, found = fluid.Executor(place), fluid.Scope(), {}
    source = fluid.create_lod_tensor(np.random.RandomState(9).randn(5, 3).astype("float32"), [[2, 3]], place)
    with fluid.scope_guard(scope):
        exe.run(startup)
        for i, p in enumerate(main.all_parameters()):
            values = (np.random.RandomState(i).randn(*p.shape) * 0.8).astype("float32")
            if p.shape == (WORDS,):
                values[1] += np.float32(ending)
            scope.find_var(p.name).get_tensor().set(values, place)
        for step in range(steps):
            for i, value in enumerate(
                exe.run(main, feed=dict(feed, source=source), fetch_list=fetches, return_numpy=False)
            ):
                found[f"{i} {step}"] = np.array(value)
                for level, offsets in enumerate(value.lod()):
                    found[f"{i} {step} lod {level}"] = np.array(offsets)
    return found


def training(static):
    def run(fluid):
        layers = fluid.layers
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            context = context_of(fluid)
            words = fluid.data("words", [None, 1], "int64", lod_level=1)
            labels = fluid.data("labels", [None, 1], "int64", lod_level=1)
            decoder = fluid.contrib.decoder.TrainingDecoder(cell_of(fluid, context, {"x": None}))
            embedded = layers.embedding(words, [WORDS, SIZE])
            with decoder.block():
                word = decoder.step_input(embedded)
                more = decoder.static_input(context) if static else None
                decoder.state_cell.compute_state(inputs={"x": word})
                state = decoder.state_cell.get_state("h")
                scores = layers.fc(layers.elementwise_add(state, more) if static else state, WORDS, act="softmax")
                decoder.state_cell.update_states()
                decoder.output(scores)
            out = decoder()
            loss = layers.mean(layers.cross_entropy(out, labels))
            fluid.optimizer.SGD(0.1).minimize(loss)

        def ragged(ids):
            return fluid.create_lod_tensor(np.array(ids, "int64").reshape(-1, 1), [[3, 4]], fluid.CPUPlace())

        feed = {"words": ragged([0, 3, 4, 0, 5, 6, 7]), "labels": ragged([3, 4, 1, 5, 6, 7, 1])}
        return ran(fluid, main, startup, feed, [loss, out], 3)

    return run


def searching(inputs, ending=0.0, **options):
    def run(fluid):
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup):
            context = context_of(fluid)
            ids = fluid.data("ids", [None, 1], "int64", lod_level=2)
            scores = fluid.data("scores", [None, 1], lod_level=2)
            cell = cell_of(fluid, context, dict({"x": None}, **dict.fromkeys(inputs)))
            decoder = fluid.contrib.decoder.BeamSearchDecoder(
                cell, ids, scores, WORDS, SIZE, dict.fromkeys(inputs, context), topk_size=6, **options
            )
            decoder.decode()
            fetches = list(decoder())

        def first(values):
            return fluid.create_lod_tensor(values, [[1, 1], [1, 1]], fluid.CPUPlace())

        feed = {"ids": first(np.zeros((2, 1), "int64")), "scores": first(np.ones((2, 1), "float32"))}
        return ran(fluid, main, startup, feed, fetches, 1, ending)

    return run


CASES = {
    "training": training(False),
    "training with a static input": training(True),
    "beams of 2": searching([], max_len=5, beam_size=2),
    "beams of 4 that end": searching([], 3.0, max_len=12, beam_size=4, sparse_emb=False),
    "an input that does not change": searching(["more"], max_len=6, beam_size=3),
    "another word at the end": searching([], 2.0, max_len=9, beam_size=3, end_id=3),
}
