"""Loaders copy the next batch to a GPU while the program works on this one; the stand-in finds what streams do not wait for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.place import CUDAPlace
from paddle_lite.kernels.gpu.staging import Staging, copied_ahead
from paddle_lite.kernels.gpu.stand_in.streams import StandInError

from .on_stand_in import on_stand_in

BATCHES = [np.full([2, 3], i, "float32") for i in range(4)]


def test_a_static_loader_feeds_arrays_of_the_device():
    with on_stand_in() as gpu, fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 3])
        total = fluid.layers.reduce_sum(x * 2.0)
        exe, found = fluid.Executor(fluid.CUDAPlace(0)), []
        loader = fluid.io.DataLoader.from_generator([x], capacity=2)
        loader.set_batch_generator(lambda: ([each] for each in BATCHES), places=fluid.CUDAPlace(0))
        for step, [feed] in enumerate(loader()):
            assert type(feed["x"].array) is gpu.ndarray and len(gpu.uploads) == min(step + 2, 4)  # the next one is sent
            found.append(exe.run(feed=feed, fetch_list=[total])[0].item())
        assert found == [12.0 * i for i in range(4)] and len(gpu.uploads) == 4
        assert fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[total])[0].item() == 36


def test_batches_of_several_gpus_go_to_them_in_turn():
    with on_stand_in(devices=2), fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [None, 3])
        mean = fluid.layers.reduce_mean(x)
        program = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(places=fluid.cuda_places())
        loader = fluid.io.DataLoader.from_generator([x], capacity=2)
        loader.set_batch_generator(lambda: ([each] for each in BATCHES), places=fluid.cuda_places())
        exe, found = fluid.Executor(fluid.CUDAPlace(0)), []
        for feeds in loader():
            assert [feed["x"].array.device.id for feed in feeds] == [0, 1]
            found += exe.run(program, feed=feeds, fetch_list=[mean])[0].tolist()
    assert found == [0, 1, 2, 3]


@pytest.mark.parametrize("ahead", [True, False])
def test_an_imperative_loader(ahead):
    with on_stand_in() as gpu, fluid.dygraph.guard(fluid.CUDAPlace(0)):
        loader = fluid.io.DataLoader.from_generator(capacity=2, use_double_buffer=ahead)
        loader.set_batch_generator(lambda: ([each, each[:, :1]] for each in BATCHES))
        found = []
        for step, (x, first) in enumerate(loader()):
            assert len(gpu.uploads) == (2 * min(step + 2, 4) if ahead else 2 * step + 2)
            found.append(fluid.layers.reduce_sum(x * first))
        assert [each.numpy().item() for each in found] == [0, 6, 24, 54]


def test_an_error_comes_after_the_batches_before_it():
    def batches() -> Any:
        yield [BATCHES[1]]
        raise OSError("torn")

    with on_stand_in():
        found = copied_ahead(batches(), [CUDAPlace(0)])
        assert next(found)[0].get().sum() == 6
        with pytest.raises(OSError, match="torn"):
            next(found)


def test_an_array_that_is_on_its_way_is_not_read():
    with on_stand_in():
        staging = Staging(CUDAPlace(0))
        sent = staging.send([BATCHES[1]])
        with pytest.raises(StandInError, match="without a wait"):
            sent.arrays[0] + 1.0
        [array] = staging.arrived(sent)
        assert (array + 1.0).get().sum() == 12
