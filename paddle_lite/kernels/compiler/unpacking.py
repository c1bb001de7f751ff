"""The function that checks and unpacks the arguments of all kernels, and the records that tell it what a kernel takes.

The checks are the same for all kernels, so they are machine code once, and a table for each kernel. A record describes an
argument, or an item of a tuple, whose records follow that of the tuple: its kind, two objects whose addresses are compared
with the argument's class, dtype or with itself, and a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .. import object_layout
from .errors import Unsupported
from .machine import FINAL
from .types import BOOL, F8, I8, NONE, Array, Number, Tuple, describe

__all__ = ["FAILED", "LARGE", "OTHER", "RECORD", "UNPACK", "Record", "records", "unpacking_text"]

UNPACK = "paddle_lite_unpack"  # its symbol
OTHER, SMALL, LARGE, FAILED = range(
    4
)  # what it returns: arguments of other types; few or many elements; an exception is set
RECORD = "{ i64, ptr, ptr, i64 }"
MOST = 16384  # elements of all arrays for SMALL; releasing the GIL costs as much as a pass over some hundred
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
_NONE, _CONTIGUOUS, _STRIDED, _BYTES_1, _BYTES_2, _BYTES_4, _BYTES_8, _INTEGER, _TRUTH, _TUPLE = range(10)
_NUMBERS = {1: _BYTES_1, 2: _BYTES_2, 4: _BYTES_4, 8: _BYTES_8}


class Record(NamedTuple):
    """What an argument must be: `first` and `second` are names of objects (signatures.OBJECTS), `second` may be "" for none."""

    kind: int
    first: str
    second: str = ""
    number: int = 0

    @property
    def text(self) -> str:
        """Return LLVM's constant."""
        second = f'@"{self.second}"' if self.second else "null"
        return f'{RECORD} {{ i64 {self.kind}, ptr @"{self.first}", ptr {second}, i64 {self.number} }}'


def records(types: Sequence[Any]) -> Iterator[Record]:
    """Yield the records of arguments of these types."""
    for type in types:
        if type == NONE:
            yield Record(_NONE, "python.None")
        elif isinstance(type, Number):
            yield _number(type)
        elif isinstance(type, Array):
            wanted = ALIGNED | (C_CONTIGUOUS if type.layout == "C" else 0) | (WRITEABLE if type.mutable else 0)
            kind = _CONTIGUOUS if type.layout == "C" else _STRIDED
            yield Record(kind, f"numpy.dtype.{type.element.code}", "numpy.ndarray", wanted << 32 | type.rank)
        elif isinstance(type, Tuple):
            yield Record(_TUPLE, "python.tuple", number=len(type.items))
            yield from records(type.items)
        else:
            raise Unsupported(f"an argument that is {describe(type)}")


def _number(type: Number) -> Record:
    own = f"numpy.{type.code}"
    if type == I8:
        return Record(_INTEGER, own, "python.int")
    if type == BOOL:
        return Record(_TRUTH, own, "python.bool")
    return Record(_NUMBERS[type.size], own, "python.float" if type == F8 else "")


_TEXT = """
@"python.True" = external global i8
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyErr_Occurred()
declare void @PyErr_Clear()

define i64 @{UNPACK}(ptr %arguments, i64 %given, i64 %count, ptr %records, ptr %words) nounwind {{
start:
  %failed = alloca i1
  store i1 false, ptr %failed
  %right = icmp eq i64 %given, %count
  br i1 %right, label %unpack, label %other
unpack:
  %found = call {{ ptr, ptr, i64 }} @items(ptr %arguments, i64 %count, ptr %records, ptr %words, i64 0, ptr %failed)
  %end = extractvalue {{ ptr, ptr, i64 }} %found, 0
  %fits = icmp ne ptr %end, null
  %error = load i1, ptr %failed
  br i1 %error, label %wrong, label %fine
fine:
  %elements = extractvalue {{ ptr, ptr, i64 }} %found, 2
  %many = icmp ugt i64 %elements, {MOST}
  %verdict = select i1 %many, i64 {LARGE}, i64 {SMALL}
  %result = select i1 %fits, i64 %verdict, i64 {OTHER}
  ret i64 %result
wrong:
  br i1 %fits, label %raised, label %cleared
raised:
  ret i64 {FAILED}
cleared:
  call void @PyErr_Clear()
  br label %other
other:
  ret i64 {OTHER}
}}

define internal {{ ptr, ptr, i64 }} @items(ptr %objects, i64 %count, ptr %records, ptr %words, i64 %elements, ptr %failed) nounwind {{
start:
  br label %head
head:
  %k = phi i64 [ 0, %start ], [ %k.next, %next ]
  %record = phi ptr [ %records, %start ], [ %record.next, %next ]
  %word = phi ptr [ %words, %start ], [ %word.next, %next ]
  %sum = phi i64 [ %elements, %start ], [ %sum.next, %next ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %item, label %fits
fits:
  %a = insertvalue {{ ptr, ptr, i64 }} undef, ptr %record, 0
  %b = insertvalue {{ ptr, ptr, i64 }} %a, ptr %word, 1
  %c = insertvalue {{ ptr, ptr, i64 }} %b, i64 %sum, 2
  ret {{ ptr, ptr, i64 }} %c
other:
  ret {{ ptr, ptr, i64 }} zeroinitializer
item:
  %object.at = getelementptr ptr, ptr %objects, i64 %k
  %object = load ptr, ptr %object.at
  %class.at = getelementptr i8, ptr %object, i64 {TYPE_AT}
  %class = load ptr, ptr %class.at
  %data.at = getelementptr i8, ptr %object, i64 {DATA_AT}
  %kind = load i64, ptr %record
  %first.at = getelementptr i8, ptr %record, i64 8
  %first = load ptr, ptr %first.at
  %second.at = getelementptr i8, ptr %record, i64 16
  %second = load ptr, ptr %second.at
  %number.at = getelementptr i8, ptr %record, i64 24
  %number = load i64, ptr %number.at
  %after = getelementptr i8, ptr %record, i64 32
  %word.after = getelementptr i8, ptr %word, i64 8
  %is.first = icmp eq ptr %class, %first
  %is.second = icmp eq ptr %class, %second
  %either = or i1 %is.first, %is.second
  %k.next = add i64 %k, 1
  switch i64 %kind, label %array [
    i64 {_NONE}, label %none
    i64 {_BYTES_1}, label %scalar
    i64 {_BYTES_2}, label %scalar
    i64 {_BYTES_4}, label %scalar
    i64 {_BYTES_8}, label %scalar
    i64 {_INTEGER}, label %integer
    i64 {_TRUTH}, label %truth
    i64 {_TUPLE}, label %tuple
  ]
none:
  %is.none = icmp eq ptr %object, %first
  br i1 %is.none, label %next, label %other
scalar:
  br i1 %either, label %scalar.sized, label %other
scalar.sized:
  switch i64 %kind, label %bytes.8 [
    i64 {_BYTES_1}, label %bytes.1
    i64 {_BYTES_2}, label %bytes.2
    i64 {_BYTES_4}, label %bytes.4
  ]
bytes.1:
  %value.1 = load i8, ptr %data.at
  %wide.1 = zext i8 %value.1 to i64
  br label %number.stored
bytes.2:
  %value.2 = load i16, ptr %data.at
  %wide.2 = zext i16 %value.2 to i64
  br label %number.stored
bytes.4:
  %value.4 = load i32, ptr %data.at
  %wide.4 = zext i32 %value.4 to i64
  br label %number.stored
bytes.8:
  %value.8 = load i64, ptr %data.at
  br label %number.stored
number.stored:
  %stored = phi i64 [ %wide.1, %bytes.1 ], [ %wide.2, %bytes.2 ], [ %wide.4, %bytes.4 ], [ %value.8, %bytes.8 ], [ %plain, %integer.plain ], [ -1, %integer.doubt ], [ %own, %integer.own ], [ %true, %truth.fits ]
  store i64 %stored, ptr %word
  br label %next
integer:
  br i1 %is.second, label %integer.plain, label %integer.other
integer.plain:
  %plain = call i64 @PyLong_AsLongLong(ptr %object)
  %doubt = icmp eq i64 %plain, -1
  br i1 %doubt, label %integer.doubt, label %number.stored
integer.doubt:
  %error = call ptr @PyErr_Occurred()
  %set = icmp ne ptr %error, null
  %before = load i1, ptr %failed
  %wrong = or i1 %set, %before
  store i1 %wrong, ptr %failed
  br label %number.stored
integer.other:
  br i1 %is.first, label %integer.own, label %other
integer.own:
  %own = load i64, ptr %data.at
  br label %number.stored
truth:
  br i1 %either, label %truth.fits, label %other
truth.fits:
  %is.true = icmp eq ptr %object, @"python.True"
  %byte = load i8, ptr %data.at
  %held = trunc i8 %byte to i1
  %bit = select i1 %is.second, i1 %is.true, i1 %held
  %true = zext i1 %bit to i64
  br label %number.stored
tuple:
  br i1 %is.first, label %tuple.sized, label %other
tuple.sized:
  %length.at = getelementptr i8, ptr %object, i64 {LENGTH_AT}
  %length = load i64, ptr %length.at
  %same.length = icmp eq i64 %length, %number
  br i1 %same.length, label %tuple.items, label %other
tuple.items:
  %items = getelementptr i8, ptr %object, i64 {ITEMS_AT}
  %inner = call {{ ptr, ptr, i64 }} @items(ptr %items, i64 %length, ptr %after, ptr %word, i64 %sum, ptr %failed)
  %inner.record = extractvalue {{ ptr, ptr, i64 }} %inner, 0
  %inner.word = extractvalue {{ ptr, ptr, i64 }} %inner, 1
  %inner.sum = extractvalue {{ ptr, ptr, i64 }} %inner, 2
  %inner.other = icmp eq ptr %inner.record, null
  br i1 %inner.other, label %other, label %next
array:
  br i1 %is.second, label %array.dtype, label %other
array.dtype:
  %dtype.at = getelementptr i8, ptr %object, i64 {DTYPE_AT}
  %dtype = load ptr, ptr %dtype.at
  %rank.at = getelementptr i8, ptr %object, i64 {RANK_AT}
  %rank.held = load i32, ptr %rank.at
  %rank = zext i32 %rank.held to i64
  %flags.at = getelementptr i8, ptr %object, i64 {FLAGS_AT}
  %flags.held = load i32, ptr %flags.at
  %flags.used = and i32 %flags.held, {FLAGS}
  %flags = zext i32 %flags.used to i64
  %flags.high = shl i64 %flags, 32
  %properties = or i64 %flags.high, %rank
  %same.dtype = icmp eq ptr %dtype, %first
  %same.properties = icmp eq i64 %properties, %number
  %array.fits = and i1 %same.dtype, %same.properties
  br i1 %array.fits, label %array.stored, label %other
array.stored:
  %data = load ptr, ptr %data.at
  store ptr %data, ptr %word
  %sizes.at = getelementptr i8, ptr %object, i64 {DIMS_AT}
  %sizes = load ptr, ptr %sizes.at
  br label %size.head
size.head:
  %d = phi i64 [ 0, %array.stored ], [ %d.next, %size ]
  %product = phi i64 [ 1, %array.stored ], [ %product.next, %size ]
  %size.word = phi ptr [ %word.after, %array.stored ], [ %size.word.next, %size ]
  %size.more = icmp ult i64 %d, %rank
  br i1 %size.more, label %size, label %size.end
size:
  %size.at = getelementptr i64, ptr %sizes, i64 %d
  %size.value = load i64, ptr %size.at
  store i64 %size.value, ptr %size.word
  %product.next = mul i64 %product, %size.value
  %size.word.next = getelementptr i8, ptr %size.word, i64 8
  %d.next = add i64 %d, 1
  br label %size.head
size.end:
  %sum.array = add i64 %sum, %product
  %strided = icmp eq i64 %kind, {_STRIDED}
  br i1 %strided, label %stride.start, label %next
stride.start:
  %strides.at = getelementptr i8, ptr %object, i64 {STRIDES_AT}
  %strides = load ptr, ptr %strides.at
  br label %stride.head
stride.head:
  %s = phi i64 [ 0, %stride.start ], [ %s.next, %stride ]
  %stride.word = phi ptr [ %size.word, %stride.start ], [ %stride.word.next, %stride ]
  %stride.more = icmp ult i64 %s, %rank
  br i1 %stride.more, label %stride, label %next
stride:
  %stride.at = getelementptr i64, ptr %strides, i64 %s
  %stride.value = load i64, ptr %stride.at
  store i64 %stride.value, ptr %stride.word
  %stride.word.next = getelementptr i8, ptr %stride.word, i64 8
  %s.next = add i64 %s, 1
  br label %stride.head
next:
  %record.next = phi ptr [ %after, %none ], [ %after, %number.stored ], [ %inner.record, %tuple.items ], [ %after, %size.end ], [ %after, %stride.head ]
  %word.next = phi ptr [ %word, %none ], [ %word.after, %number.stored ], [ %inner.word, %tuple.items ], [ %size.word, %size.end ], [ %stride.word, %stride.head ]
  %sum.next = phi i64 [ %sum, %none ], [ %sum, %number.stored ], [ %inner.sum, %tuple.items ], [ %sum.array, %size.end ], [ %sum.array, %stride.head ]
  br label %head
}}
"""


def unpacking_text() -> str:
    """Return the LLVM module of the function."""
    flags, strides = C_CONTIGUOUS | ALIGNED | WRITEABLE, object_layout.DIMS_AT + 8
    return FINAL + _TEXT.format_map({**vars(object_layout), **globals(), "FLAGS": flags, "STRIDES_AT": strides})
