"""What a file is that is not what it should be, told by its first bytes."""

from __future__ import annotations

START = 300
"""The bytes at a file's start that are looked at."""

_KINDS: tuple[tuple[int, tuple[bytes, ...], str], ...] = (
    (
        0,
        (b"version https://git-lfs",),
        "It is a pointer of Git LFS, which stands for the file: run `git lfs pull` where the repository was cloned.",
    ),
    (0, (b"<!DOCTYPE", b"<!doctype", b"<html", b"<HTML", b"<?xml"), "It is a web page: download the file itself."),
    (0, (b"\x1f\x8b",), "It is compressed by gzip: unpack it."),
    (
        0,
        (b"PK\x03\x04",),
        "It is a zip archive, as .npz files and checkpoints of PyTorch are: unpack it if the file is in it.",
    ),
    (257, (b"ustar",), "It is a tar archive: unpack it."),
    (
        0,
        (b'{"', b"{\n"),
        "It is JSON, as Programs of PaddlePaddle 3 are: save it there under FLAGS_enable_pir_api=0.",
    ),
    (0, (b"\x89HDF\r\n",), "It is an HDF5 file, as Keras writes it: convert it to a dict of arrays for save_dygraph."),
    (0, (b"\x93NUMPY",), "It is a .npy file: numpy.load reads it."),
    (
        0,
        tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6)),
        "It is a pickle, as .pdparams and .pdopt files are: load_dygraph, fluid.load and load_program_state read it.",
    ),
    (
        0,
        (bytes(12),),
        "It holds tensors, as files of save_persistables and .pdiparams files do: load_program_state, load_persistables "
        "and load_inference_model read it.",
    ),
)


def told_by(start: bytes, otherwise: str = "") -> str:
    """Return sentences that say what a file is that begins so, and what to do with it.

    Arguments:
        start: its first START bytes, or all.
        otherwise: what to say of others.

    >>> told_by(b''), told_by(b'\\x1f\\x8b and so on')
    ('It is empty.', 'It is compressed by gzip: unpack it.')
    """
    if not start:
        return "It is empty."
    return next((text for at, marks, text in _KINDS if start[at:].startswith(marks)), otherwise)
