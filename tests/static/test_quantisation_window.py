"""fake_quantize_range_abs_max keeps the maxima of its last runs, as recorded from PaddlePaddle 1.8.5."""

from __future__ import annotations

import numpy as np

import paddle_lite.fluid as fluid

SIZE = [1, 0.3, 0.8, 0.5, 2, 0.1, 0.2, 0.3, 0.4, 0.1, 0.1, 0.2, 0.1, 0.9]
RECORDED = [0.7414646] * 4 + [1.5197481] * 4 + [0.28466856] * 4 + [0.19082676, 0.87412393]
"""The scale after each run of real Paddle with a window of 4 and a first scale of 0.001."""


def test_the_scale_is_the_maximum_over_the_window() -> None:
    main, scope, draws = fluid.Program(), fluid.Scope(), np.random.RandomState(5)
    block = main.global_block()
    x, scale, step = (
        block.create_var(name=name, shape=shape, dtype=dtype, persistable=True)
        for name, shape, dtype in (("x", [3], "float32"), ("scale", [1], "float32"), ("step", [1], "int64"))
    )
    window, out = (block.create_var(name=name, dtype="float32") for name in ("window", "out"))
    block.append_op(
        type="fake_quantize_range_abs_max",
        inputs={"X": [x], "InScale": [scale], "Iter": [step]},
        outputs={"Out": [out], "OutScale": [scale], "OutScales": [window]},
        attrs={"window_size": 4, "bit_length": 8},
    )
    block.append_op(type="increment", inputs={"X": [step]}, outputs={"Out": [step]}, attrs={"step": 1.0})
    assert main.lint() == []
    place = fluid.CPUPlace()
    scope.var("scale").get_tensor().set(np.array([0.001], "float32"), place)
    scope.var("step").get_tensor().set(np.array([0]), place)
    found = []
    with fluid.scope_guard(scope):
        for size in SIZE:
            scope.var("x").get_tensor().set((draws.uniform(-1, 1, 3) * size).astype("float32"), place)
            found.append(fluid.Executor(place).run(main, fetch_list=[scale])[0][0])
    np.testing.assert_allclose(found, RECORDED, 1e-6)
