"""The seed of random operators, as an operator."""

from __future__ import annotations

from ...core.dtype import to_numpy
from ...kernels.cpu.random import random as draw
from ..framework.spec import Declaration, op
from ..support.meta import Meta


@op("seed", inputs="", outputs="Out", attrs={"seed": 0}, effects="random", lod=None)
class seed_(Declaration):
    """Return the attribute `seed` as int32 [1]; if it is 0, a random number."""

    def infer(**_):
        return Meta((1,), to_numpy("int32"))

    def reference(xp, *, seed):
        return xp.asarray(draw.randint([1], 1, 2**31 - 1, 0, to_numpy("int32")) if seed == 0 else [seed], dtype="int32")
