"""The call of a fused kernel in a Plan on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....kernels.registry import array_module, too_large
from ....ops.framework.frame import Layout
from .kernel import Kernel


def device_key() -> Any:
    """Draw the key of a dropout, uint64 [1] on the current device."""
    from ....kernels.gpu.random.keys import key  # no GPU is used before

    return key()


class DeviceFusedCall:
    """The call of the device kernels of a group, or of its operators one by one if shapes or dtypes do not fit.

    Arguments:
        kernel: the kernel. one_by_one: the function that runs the operators one by one.
        count: the number of leading arguments that the kernel takes.
        expected: the positions of further arguments whose shapes are checked, with their layouts in the frame.
    """

    def __init__(
        self, kernel: Kernel, one_by_one: Callable, count: int, expected: Sequence[tuple[int, Layout]] = ()
    ) -> None:
        self.kernel, self.one_by_one, self.count, self.expected = kernel, one_by_one, count, expected
        self._known: dict[Any, Any] = {}
        self._kernels: Any = None

    def __call__(self, *arrays: Any) -> Any:
        given = arrays[: self.count]
        key = tuple([(a.shape, a.dtype) for a in given])
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._prepared(given)
        if not known or any(arrays[place].shape != shape for place, shape in known[2]):
            return self.one_by_one(*arrays)
        made, sizes, _ = known
        xp = array_module("gpu")
        outs = [xp.empty(shape, dtype) for shape, dtype in made]
        ready = [xp.ascontiguousarray(a) for a in given]
        self._kernels.run(sizes, ready, outs, self.kernel.numbers.tolist())
        return outs

    def _prepared(self, given: Sequence[Any]) -> Any:
        """Return the shapes and dtypes of results, the sizes of the frame, and the expected shapes of further arguments.

        () if the arrays do not fit the kernel.
        """
        kernel = self.kernel
        right = all(a.dtype == value.dtype for a, value in zip(given, kernel.reads, strict=True))
        frame = kernel.frame_of([a.shape for a in given]) if right and not too_large(given) else None
        if frame is None or 0 in frame:
            return ()
        if self._kernels is None:
            from ....kernels.gpu.fused import fused_kernels  # no GPU is used before

            assert kernel.nest is not None
            self._kernels = fused_kernels(kernel.nest)
        made = [(kernel.made[value].layout.shape(frame), value.dtype) for value in kernel.gives]
        return made, kernel.sizes(frame), [(place, layout.shape(frame)) for place, layout in self.expected]
