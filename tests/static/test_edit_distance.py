"""What decoders hand to edit_distance where they find nothing."""

import numpy as np
import pytest

from paddle_lite import fluid


@pytest.mark.parametrize(("normalized", "expected"), [(True, [1.0, 1.0, 1.0]), (False, [3.0, 2.0, 4.0])])
def test_where_all_is_blank_each_distance_is_the_length_of_the_reference(normalized, expected):
    """ctc_greedy_decoder leaves a row of -1 that no sequence has; PaddlePaddle 1.8.5's numbers."""
    main, cpu = fluid.Program(), fluid.CPUPlace()
    with fluid.program_guard(main, fluid.Program()):
        frames = fluid.layers.data("frames", [3], lod_level=1)
        label = fluid.layers.data("label", [1], dtype="int64", lod_level=1)
        decoded = fluid.layers.ctc_greedy_decoder(frames, blank=2)
        distance, count = fluid.layers.edit_distance(decoded, label, normalized=normalized)
    blanks = np.tile(np.array([0.1, 0.2, 0.7], "float32"), (6, 1))
    feed = {
        "frames": fluid.create_lod_tensor(blanks, [[1, 2, 3]], cpu),
        "label": fluid.create_lod_tensor(np.zeros((9, 1), "int64"), [[3, 2, 4]], cpu),
    }
    found, distances, n = fluid.Executor(cpu).run(main, feed, [decoded, distance, count], return_numpy=False)
    assert (found.lod(), np.array(found).tolist()) == ([[0, 0, 0, 0]], [[-1]])
    assert (np.array(distances).ravel().tolist(), np.array(n).tolist()) == (expected, [3])
