"""Data sets of files: what a Program is fed, in which order, and what wrong files say. Expected values are PaddlePaddle 1.8.5's."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    ModeError,
    PipeCommandError,
    ShapeError,
)
from paddle_lite.distributed.data import memory, pipes
from paddle_lite.distributed.data.multislot import Format, parse
from paddle_lite.distributed.data.slots import Slot


@pytest.fixture(autouse=True)
def _new_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield


def ids(name: str = "a") -> Any:
    return fluid.data(name, [None, 1], "int64", lod_level=1)


def written(name: str, *lines: str) -> str:
    Path(name).write_text("".join(f"{line}\n" for line in lines))
    return name


def made(
    kind: str, files: Sequence[str], variables: Sequence[Any], batch: int = 2, threads: int = 1, pipe: str = "cat"
) -> Any:
    data = fluid.DatasetFactory().create_dataset(kind)
    data.set_use_var(variables)
    data.set_batch_size(batch)
    data.set_thread(threads)
    data.set_filelist(files)
    data.set_pipe_command(pipe)
    return data


def batches(data: Any, places: int = 1, drop_last: bool = False) -> list[list[dict[str, tuple[list, list]]]]:
    if hasattr(data, "load_into_memory"):
        data.load_into_memory()
    loader = fluid.io.DataLoader.from_dataset(data, fluid.cpu_places(places), drop_last)
    return [[{k: (np.array(v).tolist(), v.lod()) for k, v in feed.items()} for feed in group] for group in loader()]


def numbers(data: Any, **more: Any) -> list[list[int]]:
    """The values of the only slot of each batch."""
    return [
        np.ravel([np.ravel(v[0]).tolist() for feed in group for v in feed.values()]).tolist()
        for group in batches(data, **more)
    ]


KINDS = ["QueueDataset", "InMemoryDataset"]


@pytest.fixture
def three() -> list[str]:
    one = written("p1", *(f"1 {i}" for i in range(1, 6)))
    return [one, written("p2", *(f"1 {i}" for i in range(11, 14))), written("p3", "2 21 7")]


@pytest.mark.parametrize("kind", KINDS)
def test_batches_span_files_and_keep_the_order(kind: str, three: list[str]) -> None:
    assert numbers(made(kind, three, [ids()])) == [[1, 2], [3, 4], [5, 11], [12, 13], [21, 7]]
    assert numbers(made(kind, three, [ids("b")]), drop_last=True) == [[1, 2], [3, 4], [5, 11], [12, 13]]
    assert batches(made(kind, three, [ids("c")]))[-1] == [{"c": ([[21], [7]], [[0, 2]])}]


def test_each_place_gets_files_of_its_own(three: list[str]) -> None:
    groups = batches(made("QueueDataset", three[:2], [ids()]), places=2)
    assert [[np.ravel(feed["a"][0]).tolist() for feed in group] for group in groups] == [
        [[1, 2], [11, 12]],
        [[3, 4], [13]],
    ]
    with pytest.raises(ArgumentValueError, match=r"3 files, needs 4 or more"):
        fluid.io.DataLoader.from_dataset(made("QueueDataset", three, [ids("b")]), fluid.cpu_places(4))


@pytest.mark.parametrize("kind", KINDS)
def test_types_and_shapes_of_slots(kind: str) -> None:
    variables = [
        ids(),
        fluid.data("f", [None, 2], "float32"),
        fluid.data("s", [None, 1], "float32", lod_level=1),
        fluid.data("c", [None, 1], "int64"),
    ]
    data = made(kind, [written("q", "1 3 2 0.5 1.5 2 0 3.5 1 9", "2 0 4 2 0 1e-3 1 0.0 1 0")], variables)
    [[feed]] = batches(data)
    assert feed["c"] == ([[9], [0]], [])
    assert feed["f"] == ([[0.5, 1.5], [0.0, float(np.float32(1e-3))]], [])
    if kind == "QueueDataset":
        assert feed["a"] == ([[3], [0], [4]], [[0, 1, 3]])
        assert feed["s"] == ([[0.0], [3.5], [0.0]], [[0, 2, 3]])
    else:  # without zeros, but for rows that have nothing else
        assert feed["a"] == ([[3], [4]], [[0, 1, 2]])
        assert feed["s"] == ([[3.5], [0.0]], [[0, 1, 2]])


GOOD = "1 1 2 1 2 1 1 1 1"
WRONG = {
    "0 2 0.5 1.5 1 1 1 1": "'0': '0 2 0.5 1.5 1 1 1 1', needs the number of values of slot 'a'",
    "3 1 2": r"2 of 3 values of slot 'a': '3 1 2'",
    "1 1 2 1 2": "nothing for it: '1 1 2 1 2', needs the number of values of slot 's'",
    "": "nothing for it",
    "1 abc 2 1 2 1 1 1 1": "'abc' in slot 'a'.*whole numbers",
    "x 1 2 1 2 1 1 1 1": "'x'",
    "1 1.5 2 1 2 1 1 1 1": r"'1\.5' in slot 'a'.*type uint64",
    "1 1.0 2 1 2 1 1 1 1": r"'1\.0' in slot 'a'",
    "1 1e3 2 1 2 1 1 1 1": "'1e3' in slot 'a'",
    "1 0x10 2 1 2 1 1 1 1": "'0x10' in slot 'a'",
    "1 +- 2 1 2 1 1 1 1": r"'\+-' in slot 'a'",
    "-1 1 2 1 2 1 1 1 1": "'-1'",
    "1.0 1 2 1 2 1 1 1 1": r"'1\.0'",
    "1 1 2 1x 2 1 1 1 1": "'1x' in slot 'f'.*needs numbers",
    "1 18446744073709551616 2 1 2 1 1 1 1": "the id 18446744073709551616.*64 bits",
}
FORM = Format(
    (
        Slot("a", "uint64", False),
        Slot("f", "float", True, shape=(-1, 2)),
        Slot("s", "float", False),
        Slot("c", "uint64", True, shape=(-1, 1)),
    )
)


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_named(line: str) -> None:
    with pytest.raises(FileFormatError, match=f"part-7, line 12: the line got .*{WRONG[line]}"):
        parse(f"{GOOD}\n{line}\n{GOOD}\n".encode(), FORM, "part-7", 11)


def test_forms_of_numbers() -> None:
    found = parse(
        b"1  1\t2 1 2 1 1 1 1 5 6\r\n  1 18446744073709551615 2 nan inf 1 -inf 1 +3\n"
        b"1 -5 2 0.1 16777217 1 1e-50 1 9007199254740993",
        FORM,
        "a file",
    )
    a, f, s, c = (column.values for column in found.columns)
    assert a.tolist() == [1, -1, -5]  # the int64 of the same bits
    assert c.tolist() == [1, 3, 9007199254740993]
    assert s.tolist() == [1, -np.inf, 0]
    np.testing.assert_array_equal(f, np.float32([1, 2, np.nan, np.inf, 0.1, 16777216]))


def test_unused_slots_are_skipped() -> None:
    slots = (Slot("a", "uint64", False, used=False), Slot("b", "float", False))
    found = parse(b"1 7 2 0.5 1\n2 7 8 1 2\n", Format(slots), "a file")
    assert [slot.name for slot in found.slots] == ["b"]
    assert found.feed()["b"].lod() == [[0, 2, 3]]


def test_a_dense_slot_fills_its_shape() -> None:
    found = parse(b"3 1 2 3\n", Format((Slot("f", "float", True, shape=(-1, 2)),)), "a file")
    with pytest.raises(ShapeError, match=r"slot 'f' got 3 values in 1 samples.*\[-1, 2\]"):
        found.feed()


@pytest.mark.parametrize("kind", KINDS)
def test_pipe_commands(kind: str) -> None:
    files = [written("raw", "3,4", "5,6")]
    assert numbers(made(kind, files, [ids()], pipe="sed 's/^/2 /; s/,/ /'")) == [[3, 4, 5, 6]]
    assert numbers(made(kind, files, [ids("b")], pipe="printf '1 7'")) == [[7]]  # reads nothing; no newline at the end


@pytest.mark.parametrize("kind", KINDS)
def test_files_that_no_command_changes_are_read_without_a_process(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes.subprocess, "Popen", None)
    monkeypatch.setattr(pipes, "CHUNK", 5)  # lines are cut
    Path("open").write_text("1 12345\n1 6\n1 7")  # no newline at the end
    assert numbers(made(kind, ["open", written("b", "1 8")], [ids()], batch=3)) == [[12345, 6, 7], [8]]
    with pytest.raises(MissingFileError, match=r"'nofile' .No such file"):
        batches(made(kind, ["nofile"], [ids("c")]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_failing_pipe_command_is_shown(kind: str, capsys: pytest.CaptureFixture) -> None:
    data = made(kind, [written("p", "1 1")], [ids()], pipe="cat; echo no luck >&2; exit 3")
    with pytest.raises(PipeCommandError, match=r"exit 3' of 'p': its end got exit status 3.*no luck"):
        batches(data)
    assert "no luck" in capsys.readouterr().err
    with pytest.raises(PipeCommandError, match="exit status 127"):
        batches(made(kind, ["p"], [ids("b")], pipe="no_such_command_of_any_system"))
    with pytest.raises(MissingFileError, match=r"'nofile' .No such file"):
        batches(made(kind, ["nofile"], [ids("c")], pipe="sed s/1/2/"))


def test_download_commands() -> None:
    written("hdfs:a", "1 5")
    data = made("QueueDataset", ["hdfs:a"], [ids()], pipe="sed s/5/6/")
    data.set_download_cmd("cat")
    assert numbers(data) == [[6]]
    data.set_filelist(["hdfs:b"])
    with pytest.raises(PipeCommandError, match=r"No such file"):
        batches(data)


def test_a_stalled_command_ends_with_its_reader() -> None:
    data = made("QueueDataset", [written("p", "1 1")], [ids()], batch=1, pipe="cat; sleep 600")
    loader = iter(fluid.io.DataLoader.from_dataset(data, fluid.cpu_places(1)))
    next(loader)
    begin = time.monotonic()
    loader.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begin < 60


# --- records in memory ------------------------------------------------------------------------------------------------


def test_sizes_and_passes(three: list[str]) -> None:
    data = made("InMemoryDataset", three, [ids()], threads=2)
    exe, program = fluid.Executor(fluid.CPUPlace()), fluid.Program()
    sizes = lambda: (data.get_memory_data_size(), data.get_shuffle_data_size())  # noqa: E731
    exe.train_from_dataset(program, data)  # nothing was loaded
    data.load_into_memory()
    assert sizes() == (9, 0)
    data.local_shuffle()
    assert sizes() == (9, 0)
    for _ in range(2):
        exe.train_from_dataset(program, data)
        assert sizes() == (0, 9)
    data.release_memory()
    assert sizes() == (0, 0)
    data.preload_into_memory(2)
    data.wait_preload_done()
    assert sizes() == (9, 0)
    with pytest.raises(ModeError, match="Call preload_into_memory"):
        data.wait_preload_done()
    data.set_filelist(["nofile"])
    data.preload_into_memory()
    with pytest.raises(MissingFileError):
        data.wait_preload_done()


def records_of(*lines: str, **prefix: bool) -> Any:
    form = Format((Slot("a", "uint64", False), Slot("c", "uint64", True, shape=(-1, 1))))
    return parse(
        "".join(f"{line}\n" for line in lines).encode(), form._replace(prefix=form.prefix._replace(**prefix)), "f"
    )


def rows(records: Any) -> list[tuple[list[int], int]]:
    feed = records.feed()
    a, (offsets,) = np.array(feed["a"]).ravel().tolist(), feed["a"].lod()
    labels = np.array(feed["c"]).ravel().tolist()
    return [(a[first:last], c) for first, last, c in zip(offsets, offsets[1:], labels, strict=False)]


def test_shuffling_keeps_samples_together(three: list[str]) -> None:
    np.random.seed(0)
    found = records_of(*(f"{1 + i % 3} {' '.join([str(i)] * (1 + i % 3))} 1 {i}" for i in range(50)))
    mixed = rows(memory.shuffled(found))
    assert mixed != rows(found)
    assert sorted(mixed, key=lambda row: row[1]) == rows(found)


def test_slots_are_shuffled_by_themselves() -> None:
    found = records_of(*(f"1 {i} 1 {i}" for i in range(20)))
    np.random.seed(0)
    mixed = rows(memory.slots_shuffled(found, ["a"], 100))
    assert [c for _, c in mixed] == list(range(20))
    assert sorted(a for (a,), _ in mixed) == list(range(20)) != [a for (a,), _ in mixed]
    few = rows(memory.slots_shuffled(found, ["c"], 3))
    assert len({c for _, c in few}) <= 3
    with pytest.raises(ArgumentValueError, match="'zz', needs names among a, c"):
        memory.slots_shuffled(found, ["zz"], 3)
    data = fluid.InMemoryDataset()
    with pytest.raises(ModeError, match="set_fea_eval"):
        data.slots_shuffle(["a"])


def test_records_of_one_id_are_merged() -> None:
    lines = ["1 A 2 1 2 1 7", "1 B 1 5 1 1", "1 A 1 3 1 6", "1 C 1 1 1 1", "1 B 1 6 1 2"]
    found = records_of(*lines, ids=True)
    assert rows(memory.merged(found, 2)) == [([1, 2, 3], 7), ([5, 6], 1)]
    assert rows(memory.merged(found, 0)) == [([1, 2, 3], 7), ([5, 6], 1), ([1], 1)]
    assert rows(memory.merged(records_of("1 1 1 1"), 2)) == [([1], 1)]  # no ids: nothing to merge


def test_strings_before_the_slots() -> None:
    found = records_of("1 x 1 words 1 5 1 6", ids=True, content=True)
    assert (rows(found), found.ids.tolist()) == ([([5], 6)], [b"x"])
    with pytest.raises(FileFormatError, match=r"f, line 2: .*2 strings before the slots"):
        records_of("1 x 1 words 1 5 1 6", "2 5 1 6", ids=True, content=True)


class Group:
    """Trainers that are threads."""

    def __init__(self, rank: int, size: int, sent: dict[tuple[int, int], bytes], all_sent: threading.Barrier) -> None:
        self.rank, self.size, self._sent, self._all_sent = rank, size, sent, all_sent

    def exchange(self, parts: Sequence[bytes]) -> Sequence[bytes]:
        self._sent.update({(self.rank, target): part for target, part in enumerate(parts)})
        self._all_sent.wait(30)
        return [self._sent[source, self.rank] for source in range(self.size)]


def test_trainers_exchange_their_records() -> None:
    sent: dict[tuple[int, int], bytes] = {}
    barrier, results = threading.Barrier(3), [None] * 3

    def trainer(rank: int) -> None:
        lines = [f"1 id{i} 2 {i} {i} 1 {i}" for i in range(rank, 60, 3)]
        results[rank] = memory.exchanged(records_of(*lines, ids=True), Group(rank, 3, sent, barrier))

    threads = [threading.Thread(target=trainer, args=(rank,)) for rank in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    shares = [rows(share) for share in results]
    assert sorted(row for share in shares for row in share) == [([i, i], i) for i in range(60)]
    assert all(share and len({c % 3 for _, c in share}) > 1 for share in shares)
    assert all(name == b"id%d" % c for share in results for name, (_, c) in zip(share.ids, rows(share), strict=True))


# --- what is set, and what is said ------------------------------------------------------------------------------------


def test_descriptions() -> None:
    image = fluid.data("img", [None, 2, 3], "float32")
    data = made("QueueDataset", ["a"], [ids(), image], batch=4)
    data.set_rank_offset("r")
    assert data.desc() == (
        'name: "MultiSlotDataFeed"\nbatch_size: 4\nmulti_slot_desc {\n  slots {\n    name: "a"\n    type: "uint64"\n'
        '    is_used: true\n  }\n  slots {\n    name: "img"\n    type: "float"\n    is_dense: true\n    is_used: true\n'
        '    shape: -1\n    shape: 2\n    shape: 3\n  }\n}\npipe_command: "cat"\nrank_offset: "r"\n'
    )
    names = {"InMemoryDataset": "InMemory", "FileInstantDataset": "FileInstant", "QueueDataset": ""}
    for kind, part in names.items():
        assert (
            fluid.DatasetFactory().create_dataset(kind).desc()
            == f'name: "MultiSlot{part}DataFeed"\npipe_command: "cat"\n'
        )


def test_wrong_settings() -> None:
    with pytest.raises(ValueError, match=r"'QueueDataSet', needs one of .*Did you mean 'QueueDataset'"):
        fluid.DatasetFactory().create_dataset("QueueDataSet")
    data = fluid.DatasetFactory().create_dataset("InMemoryDataset")
    with pytest.raises(ValueError, match="only supports dtype=float32 and dtype=int64"):
        data.set_use_var([fluid.data("w", [None, 1], "int32")])
    for wrong in (ids(), ["a"], [3], 3):
        with pytest.raises(ArgumentTypeError, match="a list of Variables"):
            data.set_use_var(wrong)
    with pytest.raises(TypeError, match="batch_size got str 'a', needs an int"):
        data.set_batch_size("a")
    with pytest.raises(TypeError, match="filelist got str 'abc', needs a list of paths"):
        data.set_filelist("abc")
    with pytest.raises(TypeError, match="pipe_command got int 3"):
        data.set_pipe_command(3)
    with pytest.raises(ArgumentValueError, match="Call set_use_var"):
        data.load_into_memory()
    data.set_use_var([ids("b")])
    data.set_batch_size(0)
    with pytest.raises(ArgumentValueError, match="batch_size got 0"):
        data.load_into_memory()
    for call in ("local_shuffle", "global_shuffle"):
        with pytest.raises(
            NotImplementedError, match=f"QueueDataset does not support .* use InMemoryDataset for {call}"
        ):
            getattr(fluid.dataset.QueueDataset(), call)()


PROTO = """name: "MultiSlotDataFeed"  # a comment
batch_size: 32 multi_slot_desc { slots { name: "w" type: "uint64" is_used: false shape: [2, 3]} slots <name:"l" type:'float'>}
"""


def test_data_feed_desc() -> None:
    desc = fluid.DataFeedDesc(written("ok.proto", PROTO))
    desc.set_batch_size(5)
    desc.set_dense_slots(["l"])
    desc.set_use_slots(["w"])
    assert desc.desc() == (
        'name: "MultiSlotDataFeed"\nbatch_size: 5\nmulti_slot_desc {\n  slots {\n    name: "w"\n    type: "uint64"\n'
        '    is_used: true\n    shape: 2\n    shape: 3\n  }\n  slots {\n    name: "l"\n    type: "float"\n'
        '    is_dense: true\n  }\n}\npipe_command: "cat"\n'
    )
    with pytest.raises(KeyError, match="'zz', needs names among w, l"):
        desc.set_use_slots(["zz"])
    with pytest.raises(TypeError, match="batch_size got str 'x', needs an int"):
        desc.set_batch_size("x")
    with pytest.raises(FileNotFoundError, match=r"'no\.proto'"):
        fluid.DataFeedDesc("no.proto")
    with pytest.raises(FileFormatError, match=r"line:column 1:10.*foo"):
        fluid.DataFeedDesc(written("bad.proto", 'name:"a" foo: 3'))
    with pytest.raises(ArgumentValueError, match="'MultiSlotDataFeed'"):
        fluid.DataFeedDesc(written("other.proto", 'name: "a"')).set_use_slots(["w"])


def test_files_are_closed(three: list[str]) -> None:
    open_files = lambda: len(os.listdir("/proc/self/fd"))  # noqa: E731
    if not os.path.exists("/proc/self/fd"):
        pytest.skip("no /proc")
    data = made("QueueDataset", three, [ids()])
    batches(data)
    before = open_files()
    for _ in range(3):
        batches(data)
    assert open_files() <= before


def test_a_description_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "description"
    path.write_bytes(b'name: "\xff"')
    with pytest.raises(FileFormatError, match="got bytes at 7 that are not UTF-8, needs the text of a DataFeedDesc"):
        fluid.DataFeedDesc(str(path))
