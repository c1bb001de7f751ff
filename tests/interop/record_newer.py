"""Records numbers of operators that came after PaddlePaddle 1.8.5, for the samples of their rows.

    PYTHON tests/interop/record_newer.py       # PYTHON: an interpreter that has paddlepaddle 2.6.2; from the repository

Writes tests/interop/data/newer.npz. Not a test of the suite, since that needs no PaddlePaddle.
"""

import importlib
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FAMILIES = (
    "paddle2.manipulation",
    "paddle2.interpolate",
    "paddle2.functions",
    "paddle2.rnn",
    "paddle2.places",
    "paddle2.elements",
    "paddle2.regions",
    "paddle2.scans",
    "paddle2.indices",
    "paddle2.linear",
    "paddle2.graphs",
    "paddle2.quantize",
    "paddle2.special",
)


def outputs(paddle, name, sample):
    """What 2.6.2 computes for a sample, by slot."""
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        block, feed, inputs = program.global_block(), {}, {}
        for slot, given in sample.inputs.items():
            inputs[slot] = []
            for k, array in enumerate(given if isinstance(given, list) else [given]):
                feed[slot + str(k)] = array
                inputs[slot].append(paddle.static.data(slot + str(k), list(array.shape), str(array.dtype)))
        proto = paddle.base.framework.OpProtoHolder.instance().get_op_proto(name)
        made, hidden = {}, {}
        for v in proto.outputs:
            held = hidden if v.intermediate or v.dispensable else made
            lists = [
                len(given)
                for given in sample.inputs.values()
                if isinstance(given, list) and v.intermediate and v.duplicable
            ]
            names = ["out_%s%d" % (v.name, k) for k in range(sample.counts.get(v.name, max(lists, default=1)))]
            held[v.name] = [block.create_var(name=name, dtype="float32") for name in names]
        block.append_op(type=name, inputs=inputs, outputs={**made, **hidden}, attrs=dict(sample.attrs))
        exe = paddle.static.Executor(paddle.CPUPlace())
        fetched = [(slot, k, v) for slot, each in made.items() for k, v in enumerate(each)]
        found = exe.run(program, feed=feed, fetch_list=[v for _, _, v in fetched])
        return {slot + (".%d" % k if slot in sample.counts else ""): a for (slot, k, _), a in zip(fetched, found)}


def main():
    import paddle

    sys.path.insert(0, ROOT)
    paddle.enable_static()
    numbers = {}
    for family in FAMILIES:
        for row in importlib.import_module("tests.ops.rows." + family).ROWS:
            if row.own is not None or not paddle.base.framework.OpProtoHolder.instance().get_op_proto(row.op).outputs:
                continue
            for i, sample in enumerate(row.samples):
                if sample.attrs.get("dropout_prob") and not sample.attrs["is_test"]:  # its random numbers are others
                    continue
                try:
                    found = outputs(paddle, row.op, sample)
                except NotImplementedError as error:  # no kernel for the dtype
                    print(row.op, i, str(error).splitlines()[-1])
                    continue
                for slot, array in found.items():
                    if sample.outputs is not None and slot not in sample.outputs:
                        continue  # what was in memory
                    numbers["{}/{}/{}".format(row.op, i, slot)] = array
    np.savez_compressed(os.path.join(HERE, "data", "newer.npz"), **numbers)


if __name__ == "__main__":
    main()
