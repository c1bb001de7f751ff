"""Record the numbers of real PaddlePaddle 1.8.5 for the rows of operator families.

    PYTHON_WITH_PADDLE_1_8_5 tests/ops/record.py elementwise activation ...      (from the root of the repository)

Each sample of tests/ops/rows/<folder>/<file>.py becomes a static Program with that one operator. Its outputs, the random output
gradients that were fed and the input gradients go to tests/ops/recorded/<folder>/<file>.npz under these keys:

    <op>/<sample>/out/<slot>          an output; <slot>.0, <slot>.1, ... for a list
    <op>/<sample>/lod/<slot>/<level>  its LoD, as offsets
    <op>/<sample>/dout/<slot>         the gradient of an output that was fed
    <op>/<sample>/din/<slot>          the gradient of an input that came
    about                             JSON: for each "<op>/<sample>" what it was (Sample.fingerprint, Sample.sums)
                                      and, where Paddle refused it, what Paddle said

This file runs on Python 3.7 and imports nothing of paddle_lite.
"""

import importlib
import json
import os
import pickle
import sys
import zlib

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from tests.ops.row import Sparse  # noqa: E402

IN_PLACE = {  # outputs that Paddle wants to be an input, besides `ParamOut`
    ("dgc_momentum", "Grad_out"): "Grad",
    ("inplace_abn", "Y"): "X",
    ("sample_logits", "Samples"): "CustomizedSamples",
    ("sample_logits", "Probabilities"): "CustomizedProbabilities",
}
for _kept in ("sum_1", "sum_2", "sum_3", "num_accumulates", "old_num_accumulates", "num_updates"):
    IN_PLACE["average_accumulates", "out_" + _kept] = "in_" + _kept


class Recorder:
    """One sample as a Program of real Paddle."""

    def __init__(self, fluid, op, sample):
        self.fluid, self.op, self.sample = fluid, op, sample
        self.program, self.scope = fluid.Program(), fluid.Scope()
        self.block = self.program.global_block()
        self.place = fluid.CPUPlace()
        self.proto = fluid.framework.OpProtoHolder.instance().get_op_proto(op)
        self.fed = {}  # name -> (array, LoD), written before each run: operators may change them in place

    def record(self):
        """Everything that is stored of the sample, by key."""
        inputs = {slot: self._inputs(slot) for slot in self.sample.inputs if self.sample.inputs[slot] is not None}
        outputs = self._outputs(inputs)
        self.block.append_op(type=self.op, inputs=inputs, outputs=outputs, attrs=_python(self.sample.attrs))
        self._run()
        gradients = {} if self.sample.grads == () else self._gradients(inputs, outputs)
        if gradients:
            self._run()
        found = {}
        for slot, variables in outputs.items():
            for key, variable in self._keys("out", slot, variables, slot in self.sample.counts):
                self._store(found, key, variable.name)
        for key, name in gradients.items():
            self._store(found, key, name)
        return found

    def _keys(self, kind, slot, variables, many):
        return [(f"{kind}/{slot}.{i}" if many else f"{kind}/{slot}", v) for i, v in enumerate(variables)]

    def _feed(self, name, array, lod=None):
        self.fed[name] = (array, lod)
        if isinstance(array, Sparse):
            shape = (array.height,) + array.values.shape[1:]
            kind = self.fluid.core.VarDesc.VarType.SELECTED_ROWS
            return self.block.create_var(
                name=name, type=kind, shape=shape, dtype=array.values.dtype.name, persistable=True, stop_gradient=True
            )
        return self.block.create_var(
            name=name,
            shape=array.shape,
            dtype=array.dtype.name,
            lod_level=len(lod or ()),
            persistable=True,
            stop_gradient=array.dtype.kind != "f",
        )

    def _inputs(self, slot):
        value, lod = self.sample.inputs[slot], self.sample.lods.get(slot)
        if not isinstance(value, (list, tuple)):
            return [self._feed("in." + slot, value, lod)]
        lods = lod if lod and lod[0] and isinstance(lod[0][0], (list, tuple)) else [lod] * len(value)
        return [self._feed(f"in.{slot}.{i}", a, one) for i, (a, one) in enumerate(zip(value, lods))]

    def _outputs(self, inputs):
        """A variable for each output; `ParamOut` is `Param` itself, as in every real Program."""
        outputs = {}
        for slot in self.proto.outputs:
            same = slot.name[: -len("Out")] if slot.name.endswith("Out") else IN_PLACE.get((self.op, slot.name))
            if same in inputs:
                outputs[slot.name] = inputs[same]
                continue
            if (
                slot.dispensable
                and slot.name not in (self.sample.outputs or ())
                and slot.name not in self.sample.counts
            ):
                continue
            if slot.duplicable and slot.name not in self.sample.counts:
                raise ValueError(f"{self.op}: Sample needs counts={{{slot.name!r}: how many}}")
            names = [f"out.{slot.name}.{i}" for i in range(self.sample.counts.get(slot.name, 1))]
            outputs[slot.name] = [self.block.create_var(name=name, persistable=True) for name in names]
        return outputs

    def _run(self):
        for name, (array, lod) in self.fed.items():
            variable = self.scope.var(name)
            if isinstance(array, Sparse):
                sparse = variable.get_selected_rows()
                sparse.set_rows(array.rows.tolist())
                sparse.set_height(array.height)
                sparse.get_tensor().set(array.values, self.place)
                continue
            tensor = variable.get_tensor()
            tensor.set(array, self.place)
            tensor.set_lod(lod or [])
        with self.fluid.scope_guard(self.scope):
            self.fluid.Executor(self.place).run(self.program, feed={}, fetch_list=[])

    def _gradients(self, inputs, outputs):
        """Append the gradient operators; the keys and names of what they read and make."""
        core = self.fluid.core
        read = set()
        descs, _ = core.get_grad_op_desc(self.block.ops[-1].desc, set(), [])
        for desc in descs:
            read.update(desc.input_arg_names())
        targets, seeds, names = [], [], {}
        for slot in sorted(outputs):
            for key, variable in self._keys("dout", slot, outputs[slot], slot in self.sample.counts):
                value = self._value(variable.name)
                if variable.name + "@GRAD" in read and value is not None and value[0].dtype.kind == "f":
                    rng = np.random.RandomState(zlib.crc32(f"{self.op} {key}".encode()))
                    seed = rng.uniform(-1.0, 1.0, value[0].shape).astype(value[0].dtype)
                    targets.append(variable)
                    seeds.append(self._feed("seed." + variable.name, seed, value[1]))
                    seeds[-1].desc.set_shape(variable.shape)
                    names[key] = seeds[-1].name
        wanted = [(key, v) for slot in sorted(inputs) if self.sample.grads is None or slot in self.sample.grads
                  for key, v in self._keys("din", slot, inputs[slot], isinstance(self.sample.inputs[slot], (list, tuple)))
                  if not v.stop_gradient]  # fmt: skip
        if not targets or not wanted:
            return {}
        made = self.fluid.gradients(targets, [v for _, v in wanted], seeds)
        for (key, _), gradient in zip(wanted, made):
            if gradient is not None:
                gradient.persistable = True
                names[key] = gradient.name
        return names

    def _value(self, name):
        """(array, LoD) of a variable; None where nothing was written. Sparse gradients are made dense."""
        found = self.scope.find_var(name)
        if found is None:
            return None
        variable = self.block.vars.get(name)
        if variable is not None and variable.type == self.fluid.core.VarDesc.VarType.SELECTED_ROWS:
            sparse = found.get_selected_rows()
            values = np.array(sparse.get_tensor())
            dense = np.zeros((sparse.height(),) + values.shape[1:], values.dtype)
            np.add.at(dense, np.array(sparse.rows(), "int64"), values)
            return dense, []
        tensor = found.get_tensor()
        return (np.array(tensor), tensor.lod()) if tensor._is_initialized() else None

    def _store(self, found, key, name):
        value = self._value(name)
        if value is None:
            return
        found[key] = value[0]
        if key.startswith("out/"):
            for level, offsets in enumerate(value[1]):
                found[f"lod/{key[len('out/') :]}/{level}"] = np.array(offsets, "int64")


def _python(attrs):
    """Attributes as plain Python values, which is what Paddle takes."""
    return {k: v.tolist() if isinstance(v, (np.ndarray, np.generic)) else list(v) if isinstance(v, tuple) else v
            for k, v in attrs.items()}  # fmt: skip


def complaint(error):
    """The line of an error of Paddle that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = next((line for line in lines if "Error: " in line[:40]), (lines or [""])[-1])
    return f"{type(error).__name__}: {told}"


def in_children(works):
    """The result of each `work()`, or a string saying what went wrong; forked, for Paddle may abort the process."""
    results = []
    while len(results) < len(works):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                for work in works[len(results) :]:
                    try:
                        result = work()
                    except Exception as error:
                        result = complaint(error)
                    pickle.dump(result, pipe, 2)
                    pipe.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            while len(results) < len(works):
                try:
                    results.append(pickle.load(pipe))
                except (EOFError, pickle.UnpicklingError):
                    results.append(f"the process died (wait status {os.waitpid(pid, 0)[1]})")
                    break
            else:
                os.waitpid(pid, 0)
    return results


def record_family(fluid, family):
    """Write tests/ops/recorded/<folder>/<file>.npz; returns what Paddle refused unexpectedly."""
    rows = [row for row in importlib.import_module("tests.ops.rows." + family).ROWS if row.own is None]
    if not rows:
        print(f"{family}: operators that Paddle does not have")
        return []
    jobs = [(f"{row.op}/{i}", row.op, sample) for row in rows for i, sample in enumerate(row.samples)]
    results = in_children([lambda op=op, sample=sample: Recorder(fluid, op, sample).record() for _, op, sample in jobs])
    store, about, wrong = {}, {}, []
    for (name, _, sample), found in zip(jobs, results):
        about[name] = {"print": sample.fingerprint(), "sums": [float(f"{s:.9g}") for s in sample.sums()]}
        if not isinstance(found, str):
            store.update({name + "/" + key: value for key, value in found.items()})
            continue
        about[name]["refused"] = found[:200]
        if sample.excluded:
            print(f"  {name} is excluded ({sample.excluded}): {found}")
        else:
            wrong.append(f"{name}: {found}")
    path = os.path.join(ROOT, "tests", "ops", "recorded", *family.split(".")) + ".npz"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    np.savez_compressed(path, about=np.array(json.dumps(about, sort_keys=True)), **store)
    print(f"{family}: {len(rows)} operators, {len(jobs)} samples, {os.path.getsize(path) // 1024} KiB")
    return wrong


def main(families):
    import paddle.fluid as fluid

    wrong = [line for family in families for line in record_family(fluid, family)]
    if wrong:
        print("\nRefused by Paddle; mend the sample, or say why with excluded=...:")
        print("\n".join("  " + line for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
