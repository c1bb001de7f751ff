"""Data generators, and readers that trainers share; the expected lines are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.contrib.reader import distributed_batch_reader
from paddle_lite.fluid.incubate.data_generator import (
    DataGenerator,
    MultiSlotDataGenerator,
    MultiSlotStringDataGenerator,
)


class Words(MultiSlotDataGenerator):
    """Three samples from memory; one a line from stdin."""

    def generate_sample(self, line: str | None) -> Callable[[], Iterator[Any]]:
        def samples() -> Iterator[Any]:
            if line is None:
                for i in range(3):
                    yield [("words", [1, 2, i]), ("label", [i])]
                yield None
            else:
                yield [("words", [int(word) for word in line.split()]), ("label", [1])]

        return samples


class Counted(Words):
    """Adds a sample with the size of the batch to each batch."""

    def generate_batch(self, samples: Any) -> Callable[[], Iterator[Any]]:
        def batch() -> Iterator[Any]:
            yield from samples
            yield [("words", [len(samples)]), ("label", [0])]

        return batch


def given(*samples: Any, base: type[DataGenerator] = MultiSlotDataGenerator) -> DataGenerator:
    """A generator of these samples."""

    class Given(base):  # type: ignore[misc, valid-type]
        def generate_sample(self, line: str | None) -> Callable[[], Iterator[Any]]:
            return lambda: iter(samples)

    return Given()


def test_lines_from_memory(capsys: pytest.CaptureFixture[str]) -> None:
    Words().run_from_memory()
    counted = Counted()
    counted.set_batch(2)
    counted.run_from_memory()
    given([("a", ["1", "b"]), ("l", ["x"])], base=MultiSlotStringDataGenerator).run_from_memory()
    given([("a", [1])], [("a", [2.5])]).run_from_memory()
    assert capsys.readouterr().out.splitlines() == [
        "3 1 2 0 1 0", "3 1 2 1 1 1", "3 1 2 2 1 2",
        "3 1 2 0 1 0", "3 1 2 1 1 1", "1 2 1 0", "3 1 2 2 1 2", "1 1 1 0",
        "2 1 b 1 x", "1 1", "1 2.5",
    ]  # fmt: skip


def test_the_types_of_slots() -> None:
    generator = given()
    generator._gen_str([("a", [1.5]), ("b", [2])])
    assert generator._proto_info == [("a", "float"), ("b", "uint64")]
    generator._gen_str([("a", [1]), ("b", [2.5])])
    assert generator._proto_info == [("a", "float"), ("b", "float")]


def test_lines_from_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    generator = Words()
    monkeypatch.setattr("sys.stdin", io.StringIO("1 2\n3 4\n"))
    generator.run_from_stdin()
    generator._set_line_limit(1)
    monkeypatch.setattr("sys.stdin", io.StringIO("5 6\n7 8\n"))
    generator.run_from_stdin()
    assert capsys.readouterr().out.splitlines() == ["2 1 2 1 1", "2 3 4 1 1", "2 5 6 1 1"]


@pytest.mark.parametrize(
    "samples",
    [
        [3],
        [[("a", 3)]],
        [[("a", [])]],
        [[("a", (1,))]],
        [[("a",)]],
        [[(3, [1])]],
        [[("a", ["x"])]],
        [[("a", [1])], [("b", [2])]],
        [[("a", [1])], [("a", [2]), ("b", [1])]],
    ],
    ids=repr,
)
def test_samples_of_another_form(samples: list) -> None:
    with pytest.raises(ArgumentValueError, match=r"^Given: .* got .*, needs "):
        given(*samples).run_from_memory()


def test_generators_that_lack_something() -> None:
    with pytest.raises(NotImplementedError, match="define generate_sample"):
        DataGenerator().run_from_memory()
    with pytest.raises(NotImplementedError, match="derive it from MultiSlotDataGenerator"):
        given([("a", [1])], base=DataGenerator).run_from_memory()
    with pytest.raises(ArgumentTypeError):
        Words()._set_line_limit("many")  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError):
        Words()._set_line_limit(0)


@pytest.mark.parametrize(("trainer", "batches"), [(0, [0, 2, 4]), (1, [1, 3, 5])])
def test_the_share_of_a_trainer(trainer: int, batches: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_TRAINER_ID", str(trainer))
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    reader = distributed_batch_reader(lambda: iter(range(7)))
    assert list(reader()) == list(reader()) == batches


def test_one_trainer_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(distributed_batch_reader(lambda: iter(range(7)))()) == list(range(7))
    with pytest.raises(ArgumentTypeError, match="needs a function"):
        distributed_batch_reader([1])  # type: ignore[arg-type]
    monkeypatch.setenv("PADDLE_TRAINER_ID", "5")
    with pytest.raises(ArgumentValueError, match="PADDLE_TRAINER_ID got 5, needs less than 1"):
        distributed_batch_reader(lambda: iter([]))
