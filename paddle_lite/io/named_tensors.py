"""State dicts in the files of Fluid 1.6: tensors, each with its name in front.

A file is: 256 bytes of no meaning; "TNUM" and the u64 number of tensors; for each of them "NAME", the u64 length of its name, the name,
and the second half of a tensor of `static/proto/streams.py`.
"""

from __future__ import annotations

from typing import Any

from ..core.files.reading import reading
from ..static.proto.streams import Source, read_numbers
from . import pickled

_UNUSED, _COUNT, _NAME = 256, b"TNUM", b"NAME"


def read_state(path: str) -> dict[str, Any]:
    """Read a file of a state dict: a pickle of arrays, or tensors with names as Fluid 1.6 wrote them.

    Returns:
        A dict: arrays, and plain values, by name.

    Raises:
        FileFormatError: the file is truncated or has another format.
    """
    with reading(path) as file:
        source = Source(file, path)
        if source.left() >= _UNUSED + len(_COUNT):
            source.bytes(_UNUSED)
            if source.bytes(len(_COUNT)) == _COUNT:
                return _tensors(source)
    return pickled.read_dict(path)


def _tensors(source: Source) -> dict[str, Any]:
    (count,) = source.numbers("<Q", "the number of tensors")
    found: dict[str, Any] = {}
    for at in range(count):
        source.need(len(_NAME), f"the mark of tensor {at} of {count}")
        mark = source.bytes(len(_NAME))
        if mark != _NAME:
            raise source.complaint(f"the bytes {mark!r}", f"{_NAME!r}, with which tensor {at} of {count} begins")
        (length,) = source.numbers("<Q", f"the length of the name of tensor {at}")
        source.need(length, f"the name of tensor {at}")
        raw = source.bytes(length)
        try:
            name = raw.decode()
        except UnicodeDecodeError:
            raise source.complaint(f"the name {raw[:40]!r}", "a name in UTF-8") from None
        if name in found:
            raise source.complaint(f"the name {name} twice", "each name once")
        found[name] = read_numbers(source)[0]
    source.end("nothing more, for all tensors have been read")
    return found
