"""Which products register tiles compute, and with which tiling."""

from __future__ import annotations

import pytest

from paddle_lite.core.flags import set_flags
from paddle_lite.kernels.compiler.processor import Processor
from paddle_lite.kernels.cpu.math import register_blocks
from paddle_lite.kernels.cpu.math.register_blocks import TILINGS, Tiling


def test_the_flag_leaves_products_to_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register_blocks, "_of_processor", lambda: TILINGS[0])
    assert register_blocks.available()
    set_flags({"FLAGS_matmul_blocks": False})
    try:
        assert not register_blocks.available()
    finally:
        set_flags({"FLAGS_matmul_blocks": True})


@pytest.mark.parametrize("name", ["avx512f", "avx2"])
def test_when_blocks_pay(name: str) -> None:
    is_faster = tiling_of(name).is_faster
    assert is_faster(4, 512, 1024) and is_faster(128, 600, 49) and is_faster(5000, 100, 4096)
    assert not is_faster(3, 512, 1024) and not is_faster(128, 600, 31)
    assert not is_faster(64, 128, 128)  # a million products, which OpenBLAS makes without laying anything out
    assert is_faster(31, 2304, 1024) == (name == "avx512f")
    assert is_faster(8, 2304, 1024) and is_faster(32, 2304, 1024)


def tiling_of(name: str) -> Tiling:
    return next(tiling for tiling in TILINGS if tiling.feature == name)


def test_the_tiling_is_the_first_that_the_processor_has(monkeypatch: pytest.MonkeyPatch) -> None:
    find = register_blocks._of_processor.__wrapped__

    def set_features(*has: str) -> None:
        monkeypatch.setattr(register_blocks, "processor", lambda: Processor("", "", frozenset(has)))

    for features, wanted in ((("avx512f", "avx2"), 0), (("avx2",), 1)):
        set_features(*features)
        assert find() is TILINGS[wanted]
    set_features("neon")
    assert find() is None
    monkeypatch.setenv("PADDLE_LITE_DISABLE_JIT", "1")
    assert find() is None
