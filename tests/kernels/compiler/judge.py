"""A plugin of pytest: every kernel that the tests run is compiled by Numba as well, and both must give the same bits.

    python -m pytest -p tests.kernels.compiler.judge tests/ops

At a kernel's first call with arguments of certain types, both run on copies. Kernels that read arrays through addresses
are left out: a copy of their arguments would be of the same arrays. Sums that may be reordered (`reassoc=True`) may differ
in rounding where an array is strided, since they are then cut into vectors in another way; that is listed, and no failure.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from paddle_lite.kernels.compiler import entry, module, variants
from paddle_lite.kernels.compiler.errors import Unsupported
from paddle_lite.kernels.compiler.signatures import signature_of

compared: dict[str, int] = {}
left_out: set[str] = set()
reordered: list[str] = []
different: list[str] = []
_other = variants.Variants.other


def _reads_addresses(kernel: variants.Variants, types: tuple[Any, ...]) -> bool:
    found = module.Module()
    arguments = [entry._named(type, f"p{k}.") for k, type in enumerate(types)]
    found.function(kernel.python, kernel.options, arguments)
    return found.reads_objects


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.tobytes() == b.tobytes()
    if isinstance(a, tuple):
        return all(_same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and (a == b or (a != a and b != b))


def _judged(self: variants.Variants, *arguments: Any) -> Any:
    name = f"{self.python.__module__}.{self.python.__qualname__}"
    try:
        types, given = signature_of(arguments)
        new = types not in self._forms
        if new and _reads_addresses(self, types):
            left_out.add(name)
            new = False
    except Unsupported:
        new = False
    if not new:
        return _other(self, *arguments)
    copies = copy.deepcopy(given)
    result = _other(self, *arguments)
    expected = self._fallback()(*copies)
    compared[name] = compared.get(name, 0) + 1
    if not _same((result, *given), (expected, *copies)):
        strided = any(getattr(type, "layout", "C") == "A" for type in types)
        loose = strided and "reassoc" in self.options.get("fastmath", ())
        (reordered if loose else different).append(f"{name}{types}")
    return result


def pytest_configure() -> None:
    """Compare from now on."""
    variants.Variants.other = _judged  # type: ignore[method-assign]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was compared."""
    terminalreporter.write_line(
        f"{sum(compared.values())} forms of {len(compared)} kernels give the same bits by Numba, but for {len(different)}; "
        f"{len(reordered)} are sums in another order, {len(left_out)} read addresses"
    )
    for line in (*different, *reordered):
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: Any) -> None:
    """Fail if a kernel differs."""
    if different:
        session.exitstatus = 1
