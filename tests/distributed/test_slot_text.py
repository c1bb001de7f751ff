"""The kernel that reads lines of slots, beside the NumPy code that reads all forms of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.distributed.data import multislot
from paddle_lite.distributed.data.multislot import Format, parse
from paddle_lite.distributed.data.slots import Slot
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.slot_text import REAL, UNUSED, WHOLE, read_slots

FORM = Format(
    (
        Slot("ids", "uint64", False),
        Slot("skipped", "float", False, used=False),
        Slot("reals", "float", False),
        Slot("one", "uint64", True, shape=(-1, 1)),
    )
)
SPACES = [" ", "  ", "\t", " \r"]


def drawn(random: np.random.RandomState, lines: int) -> bytes:
    """Lines of slots, with many forms of numbers and of space."""

    def whole() -> str:
        number = int(random.randint(0, 10 ** random.randint(1, 10))) * 10 ** int(random.randint(0, 10))
        return f"{random.choice(['', '', '-', '+'])}{'0' * random.randint(2)}{number}"

    def real() -> str:
        number = random.randn() * 10.0 ** random.randint(-6, 6)
        form = random.choice(["{:.6f}", "{:.3e}", "{:g}", "{:.0f}", "{:.0f}.", "{:+.2E}", "{:.1f}"])
        text = str(form.format(number))
        return text.replace("0.", ".") if form == "{:.6f}" and abs(number) < 1 else text

    text = []
    for _ in range(lines):
        words = []
        for make in (whole, real, real):
            count = random.randint(1, 5)
            words += [str(count), *(make() for _ in range(count))]
        words += ["1", whole(), *["7"] * random.randint(2)]
        text.append("".join(word + random.choice(SPACES) for word in words))
    return "\n".join(text).encode() + b"\n" * random.randint(2)


@pytest.mark.skipif(not jit_available(), reason="needs a compiler")
@pytest.mark.parametrize("seed", range(5))
def test_both_ways_read_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(np.random.RandomState(seed), 60)
    assert read_slots(text, [WHOLE, UNUSED, REAL, WHOLE]) is not None
    fast = parse(text, FORM, "a file")
    monkeypatch.setattr(multislot, "jit_available", lambda: False)
    slow = parse(text, FORM, "a file")
    assert len(fast) == len(slow) == 60
    for one, other in zip(fast.columns, slow.columns, strict=True):
        assert one.values.dtype == other.values.dtype
        np.testing.assert_array_equal(one.offsets, other.offsets)
        np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize(
    "word", ["18446744073709551615", "9223372036854775808", "-9223372036854775808", "00000000000000000001"]
)
def test_the_largest_ids(word: str) -> None:
    found = read_slots(f"1 {word}\n".encode(), [WHOLE])
    assert found is not None
    assert found[1][0].tolist() == [int(np.uint64(int(word) % (1 << 64)).astype(np.int64))]


@pytest.mark.parametrize(
    "word",
    ["18446744073709551616", "-9223372036854775809", "99999999999999999999", "-", "", "1.0", "1e3", "0x1", "1-", "nan"],
)
def test_what_is_no_id_of_64_bits_is_left_to_the_other_way(word: str) -> None:
    assert read_slots(f"1 {word}\n".encode(), [WHOLE]) is None


@pytest.mark.parametrize(
    "word", ["nan", "inf", ".", "-.", "1e", "1e+", "1e1.", "1.2.3", "1e99", "1234567890123456789", "1x", "e5"]
)
def test_unusual_numbers_are_left_to_the_other_way(word: str) -> None:
    assert read_slots(f"1 {word}\n".encode(), [REAL]) is None


@pytest.mark.parametrize("text", ["", "0\n", "2 1\n", "1 1\n\n", "-1 1\n", "1.0 1\n", "1000000000000 1\n"])
def test_wrong_counts(text: str) -> None:
    found = read_slots(text.encode(), [WHOLE])
    assert found is None or (text == "" and found[0].shape == (1, 0))


def test_a_long_line_before_empty_ones() -> None:
    text = b"500" + b" 1" * 500 + b"\n" * 200
    assert read_slots(text, [WHOLE]) is None and read_slots(text, [REAL]) is None
    found = read_slots(b"500" + b" 1" * 500, [REAL])
    assert found is not None and found[1][0].tolist() == [1] * 500  # type: ignore[union-attr]
