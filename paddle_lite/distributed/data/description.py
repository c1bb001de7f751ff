"""`fluid.DataFeedDesc`: the description of the files of a data set, as text that people write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    MissingKeyError,
    describe,
    message,
)
from ...core.files.reading import absent, reading
from .multislot import Format, Prefix
from .slots import DTYPES, Slot

MULTI_SLOT = "MultiSlotDataFeed"


def text_of(proto: Any) -> str:
    """Return the text of a message."""
    from google.protobuf import text_format

    return text_format.MessageToString(proto)


def format_of(proto: Any, prefix: Prefix = Prefix(), where: str = "dataset") -> Format:  # noqa: B008  a tuple
    """Return the format of the lines that a description describes.

    Raises:
        ArgumentValueError: it has no slots, or a slot of an unknown type.
    """
    slots = []
    for slot in proto.multi_slot_desc.slots:
        if slot.type not in DTYPES:
            needs = " or ".join(DTYPES)
            raise ArgumentValueError(message(where, f"the type of slot {slot.name!r}", repr(slot.type), needs))
        slots.append(Slot(slot.name, slot.type, slot.is_dense, slot.is_used, tuple(slot.shape)))
    if not slots:
        fix = "Call set_use_var, or describe them in a multi_slot_desc."
        raise ArgumentValueError(message(where, "the description", "no slots", "the slots of a line", fix))
    return Format(tuple(slots), prefix)


class DataFeedDesc:
    """The description of the files of a data set: the slots of a line, in their order, and the size of batches.

    Arguments:
        proto_file: the path of a file with the text of a DataFeedDesc message.

    Attributes:
        proto_desc: the message.

    Raises:
        MissingFileError: there is no such file.
        FileFormatError: it has another format.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> path = os.path.join(tempfile.mkdtemp(), 'data.proto')
    >>> with open(path, 'w') as file:
    ...     _ = file.write('name: "MultiSlotDataFeed" multi_slot_desc {slots {name: "words" type: "uint64"}}')
    >>> feed = fluid.DataFeedDesc(path)
    >>> feed.set_use_slots(['words'])
    >>> print(feed.desc())
    name: "MultiSlotDataFeed"
    multi_slot_desc {
      slots {
        name: "words"
        type: "uint64"
        is_used: true
      }
    }
    pipe_command: "cat"
    <BLANKLINE>
    """

    def __init__(self, proto_file: str) -> None:
        from google.protobuf import text_format

        from . import feed_messages

        self.proto_desc = feed_messages.DataFeedDesc()
        try:
            with reading(proto_file) as file:
                text = file.read().decode()
        except FileNotFoundError:
            got, needs = f"{proto_file!r}: {absent(proto_file)}", "a file with the text of a DataFeedDesc message"
            raise MissingFileError(message("DataFeedDesc", "proto_file", got, needs)) from None
        except UnicodeDecodeError as error:
            got, needs = f"bytes at {error.start} that are not UTF-8", "the text of a DataFeedDesc message"
            raise FileFormatError(message("DataFeedDesc", str(proto_file), got, needs)) from None
        try:
            text_format.Parse(text, self.proto_desc)
        except text_format.ParseError as error:
            needs = "the text of a DataFeedDesc message"
            got = f"text that protobuf refuses at line:column {error}"
            raise FileFormatError(message("DataFeedDesc", str(proto_file), got, needs)) from None
        if not self.proto_desc.HasField("pipe_command"):
            self.proto_desc.pipe_command = "cat"

    def set_batch_size(self, batch_size: int) -> None:
        """Set the number of samples of a batch.

        Raises:
            ArgumentTypeError: it is no int.
        """
        set_int(self.proto_desc, "batch_size", batch_size, "DataFeedDesc.set_batch_size")

    def set_dense_slots(self, dense_slots_name: Iterable[str]) -> None:
        """Make slots dense: a batch of them is an array, not ragged rows.

        Arguments:
            dense_slots_name: their names.

        Raises:
            MissingKeyError: there is no such slot.
            ArgumentValueError: the description is not one of a MultiSlotDataFeed.
        """
        for slot in self._slots("set_dense_slots", dense_slots_name):
            slot.is_dense = True

    def set_use_slots(self, use_slots_name: Iterable[str]) -> None:
        """Feed slots to the Program; by default none is.

        Arguments:
            use_slots_name: their names.

        Raises:
            MissingKeyError, ArgumentValueError: as `set_dense_slots`.
        """
        for slot in self._slots("set_use_slots", use_slots_name):
            slot.is_used = True

    def desc(self) -> str:
        """Return the text of the message."""
        return text_of(self.proto_desc)

    def _slots(self, call: str, names: Iterable[str]) -> list[Any]:
        """Return the slots with these names; of several with one name the last."""
        where = f"DataFeedDesc.{call}"
        if self.proto_desc.name != MULTI_SLOT:
            got = f"a description of {self.proto_desc.name!r}"
            raise ArgumentValueError(message(where, "the description", got, f"one with the name {MULTI_SLOT!r}"))
        known = {slot.name: slot for slot in self.proto_desc.multi_slot_desc.slots}
        names = [names] if isinstance(names, str) else list(names)
        for name in names:
            if name not in known:
                raise MissingKeyError(message(where, "the names", repr(name), f"names among {', '.join(known)}"))
        return [known[name] for name in names]


def set_int(proto: Any, field: str, value: Any, where: str) -> None:
    """Set an int field of a message; raise ArgumentTypeError for a value of another type."""
    try:
        setattr(proto, field, value)
    except TypeError:
        raise ArgumentTypeError(message(where, field, describe(value), "an int")) from None


def set_text(proto: Any, field: str, value: Any, where: str) -> None:
    """Set a string field of a message; raise ArgumentTypeError for a value of another type."""
    if not isinstance(value, str):
        raise ArgumentTypeError(message(where, field, describe(value), "a string"))
    setattr(proto, field, value)
