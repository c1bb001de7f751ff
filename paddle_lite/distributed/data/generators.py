"""Data generators: programs that turn lines of any format into lines of slots, as data sets of files read them.

A line holds for each slot the number of its values, and the values: "2 1926 8 1 1" are two slots.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message

__all__ = ["DataGenerator", "MultiSlotDataGenerator", "MultiSlotStringDataGenerator"]


class DataGenerator:
    """The base class of data generators. A subclass defines `generate_sample`, and `generate_batch` where samples of a
    batch depend on each other.
    """

    def __init__(self) -> None:
        self._proto_info: list[tuple[str, str]] | None = None
        self.batch_size_ = 32

    def _set_line_limit(self, line_limit: int) -> None:
        """Set how many lines `run_from_stdin` reads at most.

        Raises:
            ArgumentTypeError: it is no int.
            ArgumentValueError: it is less than 1.
        """
        if not isinstance(line_limit, int):
            raise ArgumentTypeError(message("_set_line_limit", "line_limit", describe(line_limit), "an int"))
        if line_limit < 1:
            raise ArgumentValueError(message("_set_line_limit", "line_limit", line_limit, "1 or more"))
        self._line_limit = line_limit

    def set_batch(self, batch_size: int) -> None:
        """Set how many samples `generate_batch` gets at once; 32 by default.

        Arguments:
            batch_size: the number.
        """
        self.batch_size_ = batch_size

    def generate_sample(self, line: str | None) -> Callable[[], Iterable[Any]]:
        """Return a function without arguments that yields the samples of a line; a subclass defines it.

        Arguments:
            line: a line of stdin, or None from `run_from_memory`.

        Returns:
            A function that yields samples, each a list of (name of the slot, list of values); None is left out.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__}: define generate_sample(self, line)")

    def generate_batch(self, samples: Sequence[Any]) -> Callable[[], Iterable[Any]]:
        """Return a function that yields the samples of a batch: `samples` themselves, unless a subclass changes them.

        Arguments:
            samples: as many samples as `set_batch` says, fewer at the end.

        Returns:
            A function that yields samples.
        """
        return lambda: iter(samples)

    def run_from_memory(self) -> None:
        """Print the line of each sample of `generate_sample(None)`."""
        self._write(self.generate_sample(None)())

    def run_from_stdin(self) -> None:
        """Print the line of each sample of each line of stdin."""
        self._write(sample for line in self._lines() for sample in self.generate_sample(line)())

    def _lines(self) -> Iterator[str]:
        limit = getattr(self, "_line_limit", None)
        for count, line in enumerate(sys.stdin):
            if limit is not None and count >= limit:
                return
            yield line

    def _write(self, samples: Iterable[Any]) -> None:
        batch: list[Any] = []
        for sample in samples:
            if sample is not None:
                batch.append(sample)
            if len(batch) == self.batch_size_:
                self._write_batch(batch)
                batch = []
        if batch:
            self._write_batch(batch)

    def _write_batch(self, batch: list[Any]) -> None:
        for sample in self.generate_batch(batch)():
            sys.stdout.write(self._gen_str(sample))

    def _gen_str(self, line: Any) -> str:
        """Return the line of a sample; a subclass defines it.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__}: derive it from MultiSlotDataGenerator")


def _slots(where: str, line: Any) -> list[tuple[str, list[Any]]]:
    """Return the slots of a sample.

    Raises:
        ArgumentValueError: it has another form.
    """
    if not isinstance(line, (list, tuple)):
        needs = "a list of (name, list of values), such as [('words', [1926, 8]), ('label', [1])]"
        raise ArgumentValueError(message(where, "a sample", describe(line), needs))
    for slot in line:
        if not isinstance(slot, (list, tuple)) or len(slot) != 2:
            raise ArgumentValueError(message(where, "a slot", describe(slot), "(name, list of values)"))
        name, values = slot
        if not isinstance(name, str):
            raise ArgumentValueError(message(where, "the name of a slot", describe(name), "a string"))
        if not isinstance(values, list) or not values:
            fix = "Pad an empty slot."
            raise ArgumentValueError(message(where, f"slot {name!r}", describe(values), "a list with a value", fix))
    return list(line)


class MultiSlotDataGenerator(DataGenerator):
    """Prints samples whose slots hold numbers. All samples have the same slots, in the same order.

    >>> from paddle_lite.fluid.incubate.data_generator import MultiSlotDataGenerator
    >>> class Words(MultiSlotDataGenerator):
    ...     def generate_sample(self, line):
    ...         def samples():
    ...             yield [('words', [1926, 8, 17]), ('label', [1])]
    ...         return samples
    >>> Words().run_from_memory()
    3 1926 8 17 1 1
    """

    def _gen_str(self, line: Any) -> str:
        where = type(self).__name__
        slots = _slots(where, line)
        for name, values in slots:
            if not all(isinstance(value, (int, float)) for value in values):
                raise ArgumentValueError(message(where, f"slot {name!r}", describe(values), "ints and floats"))
        kinds = [(n, "float" if any(isinstance(v, float) for v in values) else "uint64") for n, values in slots]
        known = self._proto_info
        if known is None:
            known = kinds
        elif [name for name, _ in known] != [name for name, _ in kinds]:
            got, needs = [name for name, _ in kinds], [name for name, _ in known]
            raise ArgumentValueError(message(where, "the slots of a sample", got, f"those of the first one, {needs}"))
        both = zip(known, kinds, strict=True)
        self._proto_info = [(name, "float" if "float" in (old, new) else old) for (name, old), (_, new) in both]
        return _line(slots)


class MultiSlotStringDataGenerator(DataGenerator):
    """Prints samples whose slots hold strings, which are numbers already; it is faster.

    >>> from paddle_lite.fluid.incubate.data_generator import MultiSlotStringDataGenerator
    >>> class Words(MultiSlotStringDataGenerator):
    ...     def generate_sample(self, line):
    ...         def samples():
    ...             yield [('words', ['1926', '8', '17']), ('label', ['1'])]
    ...         return samples
    >>> Words().run_from_memory()
    3 1926 8 17 1 1
    """

    def _gen_str(self, line: Any) -> str:
        return _line(_slots(type(self).__name__, line))


def _line(slots: list[tuple[str, list[Any]]]) -> str:
    return " ".join(str(word) for _, values in slots for word in (len(values), *values)) + "\n"
