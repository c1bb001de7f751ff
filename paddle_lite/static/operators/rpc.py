"""Operators that talk to parameter servers. A DistributeTranspiler appends them; peers.py says what they call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ModeError, message
from ...core.selected_rows import UNBOUNDED, SelectedRows
from ...ops.framework.spec import CallSite, Ints, Long, Longs, Required, Strings
from ..program.parts import part_of_ids
from .peers import peers
from .structural import structural


def _as_declared(*_: Any, **__: Any) -> list:
    """Leave the results as they are declared: only other processes know their shapes."""
    return []


def _control() -> list[Any]:
    """Return what stands for a result that only orders operators."""
    return [np.zeros(0, "float32")]


def _endpoints(where: str, epmap: Sequence[str], count: int) -> Sequence[str]:
    if len(epmap) != count:
        raise ArgumentValueError(
            message(where, "attribute 'epmap'", f"{len(epmap)} endpoints", f"{count}, one a Variable")
        )
    return epmap


def _send(
    xp: Any, X: Sequence[Any], *, site: CallSite, epmap: list, trainer_id: int, sections: list, send_varnames: list,
    use_send_handler: bool,
) -> Any:  # fmt: skip
    names, values = list(site.names), list(X)
    if not use_send_handler:
        if (background := peers().background) is None or background.notifies:
            peers().notify(names, values, epmap, trainer_id)
        return _control()
    if send_varnames or not names:
        background = peers().background
        if background is not None:
            background.take(names, values, send_varnames)
            return _control()
        if not sections:
            fix = (
                "Call fleet.init_worker(), or start a fluid.communicator.Communicator, before the startup Program runs."
            )
            raise ModeError(message("send", "the Communicator of GEO training", "none", "one that runs", fix))
        names, values = list(send_varnames), cut(values[0], sections)
    else:
        values = [_of_any_id(value) if isinstance(value, SelectedRows) else value for value in values]
    peers().send(names, values, _endpoints("send", epmap, len(names)), trainer_id)
    return _control()


def _send_barrier(xp: Any, X: Any, *, endpoints: list, trainer_id: int, half_async: bool) -> Any:
    background = peers().background
    if half_async and background is not None:
        background.end_step()
    elif half_async:
        peers().settle()
    else:
        peers().send_barrier(endpoints, trainer_id)
    return _control()


def _recv(
    xp: Any, X: Any, *, site: CallSite, epmap: list, trainer_id: int, recv_varnames: list, do_not_run: int
) -> Any:
    if do_not_run:  # a Communicator receives
        return [None] * len(site.results)
    names = list(recv_varnames or site.results)
    values = peers().receive(names, _endpoints("recv", epmap, len(names)), trainer_id)
    return [np.concatenate(values)] if recv_varnames and len(values) > 1 else values


def _recv_into(
    results: Sequence[Any],
    X: Any,
    *,
    site: CallSite,
    epmap: list,
    trainer_id: int,
    recv_varnames: list,
    do_not_run: int,
) -> None:
    names = list(recv_varnames or site.results)
    endpoints = _endpoints("recv", epmap, len(names))
    if len(names) == len(results):
        peers().receive(names, endpoints, trainer_id, out=results)
    else:
        results[0][...] = np.concatenate(peers().receive(names, endpoints, trainer_id))


def _fetch_barrier(xp: Any, X: Any, *, endpoints: list, trainer_id: int) -> None:
    peers().fetch_barrier(endpoints, trainer_id)


def _checkpoint_notify(xp: Any, *, epmap: list, dir: str, lookup_table: str, trainer_id: int) -> None:
    peers().save_table(lookup_table, dir, epmap, trainer_id)


def cut(value: Any, sections: Sequence[int]) -> list[Any]:
    """Return the parts of a value with these numbers of rows."""
    ends = list(accumulate(sections))
    if isinstance(value, SelectedRows):
        return _rows_of_parts(value, sections)
    return [value[end - rows : end] for end, rows in zip(ends, sections, strict=True)]


def _rows_of_parts(value: SelectedRows, heights: Sequence[int]) -> list[SelectedRows]:
    """Return the rows of each part of a table, counted from the part's first one; those of other ids behind them, by their ids."""
    parts, start = [], 0
    outside = _outside(value.rows, sum(heights))
    share = part_of_ids(value.rows, len(heights)) if outside.any() else None
    for number, height in enumerate(heights):
        inside = (value.rows >= start) & (value.rows < start + height)
        part = SelectedRows(value.rows[inside] - start, value.values[inside], height)
        if share is not None and (more := outside & (share == number)).any():
            part = SelectedRows(part.rows, part.values, UNBOUNDED)
            part = part.concat(SelectedRows(value.rows[more], value.values[more], UNBOUNDED), np)
        parts.append(part)
        start += height
    return parts


def _outside(ids: Any, height: int) -> Any:
    return (ids < 0) | (ids >= height)


def _of_any_id(value: SelectedRows) -> SelectedRows:
    """Return the gradient of a whole table; its height is UNBOUNDED if it has rows that the Program does not declare."""
    if value.height == UNBOUNDED or not _outside(value.rows, value.height).any():
        return value
    return SelectedRows(value.rows, value.values, UNBOUNDED)


def _split(xp: Any, X: Any, *, sections: list, num: int) -> Any:
    if not sections and (num < 1 or len(X) % num):
        raise ArgumentValueError(
            message("split_byref", "attribute 'num'", num, f"a divisor of {len(X)} rows, or sections")
        )
    return cut(X, sections or [len(X) // num] * num)


def _split_rows(xp: Any, X: Any, *, height_sections: list) -> Any:
    if not isinstance(X, SelectedRows):
        X = SelectedRows(np.arange(len(X)), X, len(X))
    return _rows_of_parts(X, height_sections)


def _table(xp: Any, *, shape: list) -> Any:
    """Return zeros of a shape that take no memory: the rows are on the servers."""
    return np.broadcast_to(np.zeros((), "float32"), shape)


def _look_up(
    xp: Any, Ids: Sequence[Any], W: Any, *, table_names: list, height_sections: list, endpoints: list, padding_idx: int,
    lookup_table_version: str,
) -> Any:  # fmt: skip
    every = np.concatenate([ids.reshape(-1) for ids in Ids])
    wanted, where = np.unique(every, return_inverse=True)
    rows = np.zeros((0, W.shape[-1]), W.dtype)
    if len(wanted):
        rows = peers().look_up(wanted, table_names, endpoints, height_sections)[where.reshape(-1)]
    if padding_idx != -1:
        rows[every == padding_idx] = 0
    results, start = [], 0
    for ids in Ids:
        part = rows[start : start + ids.size]
        start += ids.size
        shape = ids.shape[:-1] if lookup_table_version == "lookup_table" else ids.shape
        results.append(part.reshape(*shape, part.shape[-1]))
    return results


def _look_up_shapes(Ids: Sequence[Any], W: Any, *, lookup_table_version: str, **_: Any) -> Any:
    made = []
    for ids in Ids:
        shape = ids.shape[:-1] if lookup_table_version == "lookup_table" else ids.shape
        made.append(ids._replace(shape=(*shape, W.shape[-1]), dtype=W.dtype))
    return made


ENDPOINT = ["127.0.0.1:6164"]

send = structural(
    "send", "X*", "Out*", {
        "trainer_id": 0, "epmap": Strings(ENDPOINT), "sections": Longs([]), "send_varnames": Strings([]), "num": 0,
        "merge_add": False, "use_send_handler": True,
    }, reference=_send, infer=_as_declared, doc="Sends the Variables of X to servers.", flops=0,
)  # fmt: skip
send_barrier = structural(
    "send_barrier", "X*", "Out*", {"trainer_id": 0, "endpoints": Strings(ENDPOINT), "half_async": False},
    reference=_send_barrier, infer=_as_declared, doc="Waits for all that is sent, and says so to the servers.", flops=0,
)  # fmt: skip
recv = structural(
    "recv", "X*?", "Out*", {
        "epmap": Strings([]), "trainer_id": 0, "with_barrier": True, "varnames": Strings([]), "recv_varnames": Strings([]),
        "do_not_run": 0,
    }, reference=_recv, infer=_as_declared, doc="Out = Variables of servers.", flops=0,
    leaves=lambda attrs: ("Out",) if attrs["do_not_run"] else (), lands=_recv_into,
)  # fmt: skip
fetch_barrier = structural(
    "fetch_barrier", "X*?", "", {"trainer_id": 0, "endpoints": Strings(ENDPOINT)}, reference=_fetch_barrier,
    infer=_as_declared, doc="Says to the servers that everything of a step is received.", flops=0,
)  # fmt: skip
checkpoint_notify = structural(
    "checkpoint_notify", "", "", {"epmap": Strings([]), "dir": "", "lookup_table": "", "trainer_id": 0},
    reference=_checkpoint_notify, infer=_as_declared, doc="Has each server write its part of a table, as dir/lookup_table_N.",
    flops=0,
)  # fmt: skip
# Its slot Out names what was received, which it does not write.
split_byref = structural(
    "split_byref", "X", "Out*", {"sections": Ints([]), "num": 0}, reference=_split, infer=_as_declared,
    doc="Out = the parts of X with `sections` rows, without copies.", flops=0,
)  # fmt: skip
split_selected_rows = structural(
    "split_selected_rows", "X", "Out*", {"height_sections": Longs([])}, reference=_split_rows, infer=_as_declared,
    doc="Out = the rows of X that belong to each part of a table, counted from the part's first row.", flops=0,
)  # fmt: skip
fake_init = structural(
    "fake_init", "", "Out", {"shape": Longs([])}, reference=_table, infer=_as_declared,
    doc="Out = a table whose rows only the servers have.", flops=0,
)  # fmt: skip
distributed_lookup_table = structural(
    "distributed_lookup_table", "Ids* W", "Outputs*", {
        "table_names": Strings([""]), "height_sections": Longs([]), "endpoints": Strings(ENDPOINT), "trainer_id": 0,
        "lookup_table_version": "lookup_table", "padding_idx": Long(-1), "dtype": 5,
    }, reference=_look_up, infer=_look_up_shapes, lod="first", doc="Outputs = rows of a table of the servers.", flops=0,
)  # fmt: skip
listen_and_serv = structural(
    "listen_and_serv", "X*", "", {
        "endpoint": "127.0.0.1:6164", "pserver_id": -1, "grad_to_block_id": Strings([]), "distributed_mode": 0, "dc_asgd": False,
        "optimize_blocks": Required("BLOCKS"), "prefetch_var_name_to_block_id": Strings([]),
        "sparse_grad_to_param": Strings([]), "Fanin": 1, "checkpint_block_id": -1, "lr_decay_block_id": -1,
        "rpc_get_thread_num": 1, "rpc_send_thread_num": 1, "rpc_prefetch_thread_num": 1,
    }, infer=_as_declared, doc="Serves the trainers of a job: takes gradients, runs the blocks, gives parameters.", flops=0,
)  # fmt: skip
for _each in (send, send_barrier, recv, fetch_barrier, checkpoint_notify, distributed_lookup_table):
    _each.effects = "io"
