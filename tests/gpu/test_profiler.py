"""The profiler measures operators on a GPU there, by events, and names them to NVIDIA's tools."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.core.profiling.recording import Active, Recording
from paddle_lite.fluid import profiler
from paddle_lite.kernels.gpu.clock import DeviceClock

from .on_stand_in import on_stand_in


def test_operators_have_the_time_of_the_device(monkeypatch, tmp_path, capsys):
    with on_stand_in() as gpu:
        monkeypatch.setattr(gpu.cuda, "get_elapsed_time", lambda begin, end: 12.5)
        with fluid.dygraph.guard(fluid.CUDAPlace(0)):
            x = fluid.dygraph.to_variable(np.ones([2, 2], "float32"))
            profiler.start_profiler("GPU")
            for _ in range(2):
                fluid.layers.relu(x)
            assert len(gpu.downloads) == 0 and len(gpu.cuda.nvtx.ranges) == 4
            recording = Active.recording
            profiler.stop_profiler("calls", str(tmp_path / "trace"))
        assert recording is not None and [event.duration for event in recording.events] == [12.5, 12.5]
        assert gpu.cuda.nvtx.ranges == ["relu", "", "relu", ""]
    assert "thread0::relu        2           25" in capsys.readouterr().out


def test_without_the_state_gpu_nothing_is_marked(tmp_path, capsys):
    with on_stand_in() as gpu, fluid.dygraph.guard(fluid.CUDAPlace(0)):
        x = fluid.dygraph.to_variable(np.ones([2, 2], "float32"))
        with profiler.profiler("CPU", None, str(tmp_path / "trace")):
            fluid.layers.relu(x)
        assert gpu.cuda.nvtx.ranges == []
    assert "relu" in capsys.readouterr().out


def test_ranges_stay_balanced_and_know_what_they_are_in():
    with on_stand_in() as gpu:
        recording = Recording("All", "OpDetail", DeviceClock())
        recording.end()
        recording.begin("left open")
        recording.begin("while", outermost=True)
        recording.begin("relu")
        for _ in range(2):
            recording.end([gpu.zeros(1)])
        recording.settle()
    assert gpu.cuda.nvtx.ranges == ["left open", "", "while", "relu", "", ""]
    assert [(event.name, event.inside) for event in recording.events] == [("relu", ("while",)), ("while", ())]
