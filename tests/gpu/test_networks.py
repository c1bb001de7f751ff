"""A network of the kernels for GPUs trains on the stand-in as on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid import layers
from tests.gpu.on_stand_in import on_stand_in


def network() -> Any:
    image, label = fluid.data("image", [None, 3, 8, 8]), fluid.data("label", [None, 1], "int64")
    words = fluid.data("words", [None, 1], "int64", lod_level=1)
    seen = layers.conv2d(image, 4, 3, stride=2, padding=1, act="relu")
    seen = layers.conv2d(layers.conv2d(seen, 4, 3, padding=1, groups=4), 4, 1)
    seen = layers.conv2d_transpose(layers.group_norm(seen, 2), 3, filter_size=2, stride=2)
    hidden, _ = layers.dynamic_lstm(layers.fc(layers.embedding(words, [7, 5]), 12), 12)
    states = layers.dynamic_gru(layers.fc(hidden, 9), 3, is_reverse=True)
    last = layers.sequence_last_step(layers.sequence_conv(hidden, 4))
    read = layers.concat([layers.sequence_pool(hidden, "max"), layers.sequence_pool(states, "average"), last], 1)
    out = layers.fc([layers.flatten(seen), read], 4, act="softmax")
    return layers.mean(layers.cross_entropy(out, label))


def losses(place: Any) -> list[float]:
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = network()
        fluid.optimizer.Adam(0.01).minimize(loss)
    rng = np.random.RandomState(0)
    words = fluid.create_lod_tensor(rng.randint(0, 7, (6, 1)), [[2, 3, 1]], fluid.CPUPlace())
    fed = {"image": rng.randn(3, 3, 8, 8).astype("float32"), "words": words, "label": np.array([[1], [3], [0]])}
    exe, scope = fluid.Executor(place), fluid.Scope()
    exe.run(startup, scope=scope)
    return [exe.run(main, feed=fed, fetch_list=[loss], scope=scope)[0].item() for _ in range(3)]


def test_images_and_sequences_train_as_on_the_cpu():
    expected = losses(fluid.CPUPlace())
    with on_stand_in(kernels=True):
        actual = losses(fluid.CUDAPlace(0))
    np.testing.assert_allclose(actual, expected, rtol=2e-5)
    assert actual[2] < actual[0] / 2
