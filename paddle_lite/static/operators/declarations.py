"""The operators that only Programs have: importing this file declares all of them."""

from . import beam_search_decode, collective, control, files, places, py_func, rank_tables, rpc, tensor_arrays

__all__ = [
    "beam_search_decode",
    "collective",
    "control",
    "files",
    "places",
    "py_func",
    "rank_tables",
    "rpc",
    "tensor_arrays",
]
