"""Write and check models, the same code on both sides: `side.py write|check FOLDER [NETWORK ...]`.

`write` trains each network a little and saves it in FOLDER/NETWORK in every form, with what it predicts and how its training goes
on. `check` reads each form, by the same side or by the other, and writes FOLDER/NETWORK/found.json: what was checked, and how far
off it was or the error. Each network has a process of its own, so that one that ends the process ends no other. This file runs on
Python 3.7, too; `paddle.fluid` is that of 1.8.5, or paddle_lite's under `python -m paddle_lite run`.
"""

import json
import os
import shutil
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if __name__ == "__main__":
    sys.path.insert(0, ROOT)

from compatibility.models.nets import NETS  # noqa: E402
from compatibility.models.optimizers import optimizer  # noqa: E402

BEFORE, AFTER = 2, 3  # steps of training before the files are written, and behind it
LIMIT = 120  # seconds of a network


class Built:
    """A network with its Programs and what is fed to it."""

    def __init__(self, fluid, name):
        """Build it, with its optimizer."""
        entry = NETS[name]
        self.main, self.startup = fluid.Program(), fluid.Program()
        self.main.random_seed = self.startup.random_seed = 7
        with fluid.program_guard(self.main, self.startup), fluid.unique_name.guard():
            self.net = entry.build(fluid)
            self.test = self.main.clone(for_test=True)
            if entry.optimizer:
                optimizer(fluid, entry.optimizer).minimize(self.net.loss)
        self.loss = self.net.loss.name if entry.optimizer else ""
        self.feed = {key: _fed(fluid, value) for key, value in self.net.feeds.items()}
        self.feed_all = {key: _fed(fluid, value) for key, value in {**self.net.feeds, **self.net.labels}.items()}


def _fed(fluid, value):
    if isinstance(value, tuple):
        return fluid.create_lod_tensor(value[0], [list(level) for level in value[1]], fluid.CPUPlace())
    return value


def _taken(value):
    """Return a result as an array and its lengths."""
    if isinstance(value, np.ndarray):
        return value, []
    return np.array(value), [[int(n) for n in level] for level in value.recursive_sequence_lengths()]


def _losses(exe, program, built, steps, loss=None):
    found = [exe.run(program, feed=built.feed_all, fetch_list=[loss or built.loss])[0] for _ in range(steps)]
    return [(np.array([np.asarray(loss).reshape(-1)[0] for loss in found]), [])]


def _begun(exe, built):
    """Return what an untrained network gives."""
    results = built.net.results
    return [_taken(v) for v in exe.run(built.test, feed=built.feed_all, fetch_list=results, return_numpy=False)]


def _predicted(fluid, exe, built, folder, *files):
    program, names, targets = fluid.io.load_inference_model(folder, exe, *files)
    found = exe.run(program, feed={n: built.feed[n] for n in names}, fetch_list=targets, return_numpy=False)
    return [_taken(value) for value in found]


def _by_predictor(fluid, built, folder):
    """Return what the inference engine of Fluid predicts."""
    config = fluid.core.AnalysisConfig(folder)
    config.disable_gpu()
    config.disable_glog_info()
    config.switch_use_feed_fetch_ops(False)
    config.switch_specify_input_names(True)
    predictor = fluid.core.create_paddle_predictor(config)
    for name in predictor.get_input_names():
        value = built.net.feeds[name]
        rows, lengths = value if isinstance(value, tuple) else (value, [])
        tensor = predictor.get_input_tensor(name)
        tensor.copy_from_cpu(rows)
        if lengths:
            tensor.set_lod([np.cumsum([0] + list(level)).tolist() for level in lengths])
    predictor.zero_copy_run()
    tensors = [predictor.get_output_tensor(name) for name in predictor.get_output_names()]
    return [(t.copy_to_cpu(), [np.diff(level).tolist() for level in t.lod()]) for t in tensors]


def write(fluid, name, below):
    """Train a network and save it in a folder, with what it gives."""
    os.makedirs(below)
    built, exe, known = Built(fluid, name), fluid.Executor(fluid.CPUPlace()), {}
    with fluid.scope_guard(fluid.core.Scope()):
        exe.run(built.startup)
        known["begun"] = _begun(exe, built)
        exe.run(built.startup)  # a test may change what is persistable, such as the centres of center_loss
        if built.loss:
            known["from the start"] = _losses(exe, built.main, built, BEFORE)
        feeds, results = list(built.net.feeds), built.net.results
        fluid.io.save_inference_model(os.path.join(below, "model"), feeds, results, exe, built.main)
        if any(v.persistable for v in built.test.list_vars()):
            fluid.io.save_inference_model(below, feeds, results, exe, built.main, "__model__", "__params__")
        fluid.save(built.main, os.path.join(below, "train"))
        fluid.io.save_persistables(exe, os.path.join(below, "persistables"), built.main)
        with open(os.path.join(below, "startup"), "wb") as file:
            file.write(built.startup.desc.serialize_to_string())
        known["predicted"] = _predicted(fluid, exe, built, os.path.join(below, "model"))
        if built.loss:
            known["goes on"] = _losses(exe, built.main, built, AFTER)
    arrays = {f"{what}/{i}": array for what, values in known.items() for i, (array, _) in enumerate(values)}
    lengths = {what: [levels for _, levels in values] for what, values in known.items()}
    np.savez(os.path.join(below, "known.npz"), loss=built.loss, lengths=json.dumps(lengths), **arrays)


def checks(fluid, name, below, loss):
    """Yield what is checked, what it should give, and a function that returns what it gives, for every form.

    Arguments:
        loss: the name of the loss in the saved Programs, in which temporaries may have other names.
    """
    built, exe = Built(fluid, name), fluid.Executor(fluid.CPUPlace())

    def read(file):
        with open(os.path.join(below, file), "rb") as opened:
            return fluid.Program.parse_from_string(opened.read())

    def begun(startup):
        exe.run(startup)
        return _begun(exe, built)

    def goes_on(program, load, loss=None):
        exe.run(built.startup)
        load()
        return _losses(exe, program, built, AFTER, loss)

    def from_start():
        exe.run(built.startup)
        return _losses(exe, built.main, built, BEFORE)

    def by_files(program):
        folder = os.path.join(below, "persistables")
        return goes_on(program, lambda: fluid.io.load_persistables(exe, folder, program), loss)

    yield "model", "predicted", lambda: _predicted(fluid, exe, built, os.path.join(below, "model"))
    if os.path.exists(os.path.join(below, "__params__")):
        yield "one file", "predicted", lambda: _predicted(fluid, exe, built, below, "__model__", "__params__")
    yield "predictor", "predicted", lambda: _by_predictor(fluid, built, os.path.join(below, "model"))
    yield "initialization", "begun", lambda: begun(built.startup)
    yield "startup Program", "begun", lambda: begun(read("startup"))
    if built.loss:
        yield "training", "from the start", from_start
        load = os.path.join(below, "train")
        yield "resumed training", "goes on", lambda: goes_on(built.main, lambda: fluid.load(built.main, load, exe))
        yield "training Program", "goes on", lambda: by_files(read("train.pdmodel"))


def check(fluid, name, below):
    """Return how far off each form of a network's files is, or the error, by what is checked."""
    found = {}
    with np.load(os.path.join(below, "known.npz")) as known:
        lengths = json.loads(str(known["lengths"]))
        for what, wanted, gives in checks(fluid, name, below, str(known["loss"])):
            try:
                with fluid.scope_guard(fluid.core.Scope()):
                    values = gives()
                apart = [
                    far(array, levels, known[f"{wanted}/{i}"], lengths[wanted][i])
                    for i, (array, levels) in enumerate(values)
                ]
                found[what] = max(apart)
            except Exception as error:  # of whatever kind: the page shows it
                found[what] = f"{type(error).__name__}: {summary(str(error))}"
    return found


def far(found, levels, wanted, wanted_levels):
    """Return the largest difference as a part of the largest number; infinity for another shape, dtype, or other lengths."""
    if (found.shape, found.dtype, levels) != (wanted.shape, wanted.dtype, wanted_levels):
        return float("inf")
    if not found.size:
        return 0.0
    found, wanted = found.astype("float64"), wanted.astype("float64")
    finite = np.isfinite(wanted)
    if not np.array_equal(finite, np.isfinite(found)):
        return float("inf")
    return float(
        np.abs(found[finite] - wanted[finite]).max(initial=0) / max(np.abs(wanted[finite]).max(initial=0), 1e-6)
    )


def summary(text):
    """Return what an error says, without the call stacks of 1.8.5."""
    text = text.rpartition("Error Message Summary:\n----------------------\n")[2]
    return " ".join(text.split())[:200]


def main(action, folder, names):
    """Write or check networks, each in a process of its own."""
    import paddle.fluid as fluid

    for name in names or NETS:
        below = os.path.join(folder, name)
        found = os.path.join(below, "found.json")
        if action == "write":
            shutil.rmtree(below, ignore_errors=True)
        elif os.path.exists(found):
            os.remove(found)
        process = os.fork()
        if not process:
            os._exit(_child(fluid, action, name, below, found))
        status = os.waitpid(process, 0)[1]
        if action == "check" and not os.path.exists(found):
            with open(found, "w") as file:
                json.dump({"network": f"the process ended with {status}"}, file)


def _child(fluid, action, name, below, found):
    import signal

    signal.alarm(LIMIT)
    try:
        if action == "write":
            write(fluid, name, below)
        elif os.path.exists(os.path.join(below, "known.npz")):
            result = check(fluid, name, below)
            with open(found, "w") as file:
                json.dump(result, file)
    except Exception as error:
        print(f"{action} {name}: {type(error).__name__}: {summary(str(error))}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    os.environ.setdefault("GLOG_minloglevel", "3")
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
