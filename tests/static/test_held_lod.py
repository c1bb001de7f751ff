"""LoDs of persistable Variables stay from run to run."""

import numpy as np

import paddle_lite.fluid as fluid


def test_a_lod_that_was_kept_is_read():
    main = fluid.default_main_program().global_block()
    x = fluid.data("x", [None, 1], "float32", lod_level=1)
    kept = main.create_var(name="kept", shape=[-1, 1], dtype="float32", lod_level=1, persistable=True)
    first, second = fluid.default_main_program(), fluid.Program()
    fluid.layers.assign(x, output=kept)
    with fluid.program_guard(second):
        again = second.global_block().create_var(
            name="kept", shape=[-1, 1], dtype="float32", lod_level=1, persistable=True
        )
        y = fluid.layers.relu(again)
    exe = fluid.Executor()
    for lengths in ([[1, 2]], [[2, 2]]):
        tensor = fluid.create_lod_tensor(np.ones([sum(lengths[0]), 1], "float32"), lengths, fluid.CPUPlace())
        exe.run(first, feed={"x": tensor})
        assert exe.run(second, fetch_list=[y], return_numpy=False)[0].recursive_sequence_lengths() == lengths
    fluid.global_scope().find_var("kept").get_tensor().set_lod([])
    assert exe.run(second, fetch_list=[y], return_numpy=False)[0].lod() == []
