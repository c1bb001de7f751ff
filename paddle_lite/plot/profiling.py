"""`profile`: how long Layers, operators and gradients take; `chrome_trace` writes it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.errors import ArgumentTypeError, ModeError, describe, message
from ..core.files.atomic import atomic_file
from ..core.profiling.recording import Active, Recording, set_active
from ..core.profiling.report import chrome_trace as trace_of
from ..imperative.layer import Layer
from ..imperative.views.text import class_name

__all__ = ["Profile", "chrome_trace", "profile"]

LAYER = "layer"


class Profile:
    """What `profile` has recorded; a notebook shows its flame graph.

    Attributes:
        recording: the events.
        layers: the names in the events that are those of Layers.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.layers: set[str] = set()

    def __repr__(self) -> str:
        return f"<Profile of {len(self.recording.events)} calls: show it in a notebook, or plot.flame_graph(profile).save(path)>"

    def _repr_html_(self) -> str:
        from .flame import flame_graph

        return flame_graph(self)._repr_html_()


@contextmanager
def profile(net: Layer | None = None) -> Iterator[Profile]:
    """Record how long the operators take that run inside the block, in both modes, and where they are nested.

    Arguments:
        net: a network whose Layers are recorded too, so that operators stand inside of them.

    Yields:
        A Profile, for `flame_graph` and `chrome_trace`.

    Raises:
        ArgumentTypeError: `net` is no Layer.
        ModeError: `fluid.profiler` is on.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> net = paddle.nn.Linear(4, 2)
    >>> with paddle.plot.profile(net) as found:
    ...     loss = paddle.mean(net(paddle.to_tensor(np.ones([8, 4], 'float32'))))
    >>> [event.name for event in found.recording.events][-2:]
    ['Linear', 'mean']
    """
    if net is not None and not isinstance(net, Layer):
        raise ArgumentTypeError(message("plot.profile", "net", describe(net), "a Layer or None"))
    if Active.recording is not None:
        raise ModeError("plot.profile: a profiler is on already. Stop it first: fluid.profiler.stop_profiler().")
    recording = Recording("All", "OpDetail")
    found = Profile(recording)
    handles: list[Any] = []
    for path, layer in net.named_sublayers(include_self=True) if net is not None else ():
        name = path or class_name(layer)
        found.layers.add(name)
        handles.append(layer.register_forward_pre_hook(lambda *_, name=name: recording.begin(name)))
        handles.append(layer.register_forward_post_hook(lambda *_: recording.end()))
    set_active(recording)
    try:
        yield found
    finally:
        set_active(None)
        for handle in handles:
            handle.remove()


def chrome_trace(profile: Any, path: str | os.PathLike[str]) -> None:
    """Write a Profile as a file that chrome://tracing and ui.perfetto.dev open. (`fluid.profiler` writes one by itself.)

    Arguments:
        profile: what `profile` has yielded.
        path: the file, such as "trace.json".

    Raises:
        ArgumentTypeError: `profile` is no Profile.
    """
    if not isinstance(profile, Profile):
        raise ArgumentTypeError(
            message("plot.chrome_trace", "profile", describe(profile), "a Profile, of plot.profile()")
        )
    with atomic_file(os.fspath(path)) as file:
        file.write(trace_of(profile.recording))
