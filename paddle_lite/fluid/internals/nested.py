"""Nested lists, tuples and dicts: `fluid.layers.utils`. The values of a dict are ordered by its sorted keys."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import state
from ...layers.support.arguments import is_variable

__all__ = [
    "as_list",
    "assert_same_structure",
    "convert_to_list",
    "copy_mutable_vars",
    "extract_vars",
    "flatten",
    "hold_mutable_vars",
    "is_sequence",
    "map_structure",
    "pack_sequence_as",
]


def is_sequence(seq: Any) -> bool:
    """Return whether a value is a sequence or a dict, and not a string.

    >>> from paddle_lite.fluid.layers.utils import is_sequence
    >>> is_sequence([1]), is_sequence({}), is_sequence('ab')
    (True, True, False)
    """
    return isinstance(seq, (Sequence, dict)) and not isinstance(seq, str)


def _is_nested(value: Any) -> bool:
    """Return what `fluid.layers.utils.is_sequence` says, which programs replace for a while to nest in another way."""
    utils = sys.modules.get("paddle_lite.fluid.layers.utils")
    return bool((is_sequence if utils is None else utils.is_sequence)(value))


def _items(nest: Any) -> list[Any]:
    """Return the entries of one level."""
    return [nest[key] for key in _sorted(nest)] if isinstance(nest, Mapping) else list(nest)


def _sorted(dict_: Mapping[Any, Any]) -> list[Any]:
    """Return the keys of a dict in order.

    Raises:
        ArgumentTypeError: keys cannot be compared.
    """
    try:
        return sorted(dict_)
    except TypeError:
        needs = "keys that can be compared, such as strings only"
        raise ArgumentTypeError(message("nested structure", "keys", describe(list(dict_)), needs)) from None


def _leaves(nest: Any) -> Iterator[Any]:
    for item in _items(nest):
        if _is_nested(item):
            yield from _leaves(item)
        else:
            yield item


def flatten(nest: Any) -> list[Any]:
    """Return the leaves of a nested structure, in order.

    Arguments:
        nest: nested lists, tuples and dicts, or one leaf.

    Returns:
        A list.

    >>> from paddle_lite.fluid.layers.utils import flatten
    >>> flatten([1, {'b': 2, 'a': (3, 4)}])
    [1, 3, 4, 2]
    """
    return list(_leaves(nest)) if _is_nested(nest) else [nest]


def _rebuilt(nest: Any, leaves: Iterator[Any]) -> Any:
    """Return the same structure with the next leaves."""
    return sequence_like(nest, (_rebuilt(item, leaves) if _is_nested(item) else next(leaves) for item in _items(nest)))


def sequence_like(instance: Any, args: Iterable[Any]) -> Any:
    """Return values as a list, tuple, named tuple or dict like another one; a dict's keys are taken in sorted order."""
    values = list(args)
    if isinstance(instance, Mapping):
        by_key = dict(zip(_sorted(instance), values, strict=True))
        return type(instance)((key, by_key[key]) for key in instance)  # type: ignore[call-arg]
    return type(instance)(*values) if hasattr(instance, "_fields") else type(instance)(values)


def packed_nest_with_indices(structure: Any, flat: Any, index: int) -> tuple[int, list[Any]]:
    """Return the items of a structure with leaves from `flat[index]` on, and the index behind the last of them."""
    packed = []
    for item in _items(structure):
        if _is_nested(item):
            index, inner = packed_nest_with_indices(item, flat, index)
            packed.append(sequence_like(item, inner))
        else:
            packed.append(flat[index])
            index += 1
    return index, packed


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Return leaves in the structure of another value: the reverse of `flatten`.

    Arguments:
        structure: nested lists, tuples and dicts, or one leaf.
        flat_sequence: as many leaves as the structure has.

    Returns:
        A value of that structure.

    Raises:
        ArgumentTypeError: `flat_sequence` is no sequence.
        ArgumentValueError: the numbers of leaves differ.

    >>> from paddle_lite.fluid.layers.utils import pack_sequence_as
    >>> pack_sequence_as({'a': 0, 'b': [0, 0]}, [1, 2, 3])
    {'a': 1, 'b': [2, 3]}
    """
    if not _is_nested(flat_sequence):
        raise ArgumentTypeError(message("pack_sequence_as", "flat_sequence", describe(flat_sequence), "a sequence"))
    wanted = len(flatten(structure))
    if len(flat_sequence) != wanted:
        got = f"{len(flat_sequence)} leaves"
        raise ArgumentValueError(message("pack_sequence_as", "flat_sequence", got, f"{wanted}, as the structure has"))
    return _rebuilt(structure, iter(_items(flat_sequence))) if _is_nested(structure) else flat_sequence[0]


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """Return the structure whose leaves are `func` of the leaves of the given ones.

    Arguments:
        func: a function of as many values as structures are given.
        structure: structures with the same number of leaves.

    Returns:
        A value of the structure of the first one.

    Raises:
        ArgumentValueError: the numbers of leaves differ, or there is no structure.

    >>> from paddle_lite.fluid.layers.utils import map_structure
    >>> map_structure(lambda a, b: a + b, [1, (2, 3)], [10, (20, 30)])
    [11, (22, 33)]
    """
    leaves = [flatten(each) for each in structure]
    if not leaves:
        raise ArgumentValueError(message("map_structure", "structure", "nothing", "at least one structure"))
    if len({len(each) for each in leaves}) > 1:
        got = f"structures with {', '.join(str(len(each)) for each in leaves)} leaves"
        raise ArgumentValueError(message("map_structure", "structure", got, "the same number in each"))
    return pack_sequence_as(structure[0], [func(*values) for values in zip(*leaves, strict=True)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise unless two nested structures have the same form.

    Arguments:
        nest1, nest2: the structures.
        check_types: whether a list and a tuple differ, too.

    Raises:
        ArgumentValueError: the numbers of leaves, the levels or the keys differ.
        ArgumentTypeError: the types differ.

    >>> from paddle_lite.fluid.layers.utils import assert_same_structure
    >>> assert_same_structure([1, (2,)], [3, (4,)])
    >>> assert_same_structure([1, 2], [1])
    Traceback (most recent call last):
    paddle_lite.core.errors.ArgumentValueError: assert_same_structure: nest2 got 1 leaves, needs 2, as nest1 has.
    """
    first, second = len(flatten(nest1)), len(flatten(nest2))
    if first != second:
        got, needs = f"{second} leaves", f"{first}, as nest1 has"
        raise ArgumentValueError(message("assert_same_structure", "nest2", got, needs))
    _compare(nest1, nest2, check_types)


def _compare(nest1: Any, nest2: Any, check_types: bool) -> None:
    where = "assert_same_structure"
    if _is_nested(nest1) != _is_nested(nest2):
        raise ArgumentValueError(message(where, "nest2", describe(nest2), f"the form of {describe(nest1)}"))
    if not _is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise ArgumentTypeError(message(where, "nest2", describe(nest2), f"a {type(nest1).__name__}"))
    if isinstance(nest1, Mapping) and isinstance(nest2, Mapping) and set(nest1) != set(nest2):
        raise ArgumentValueError(message(where, "keys", str(_sorted(nest2)), str(_sorted(nest1))))
    for one, other in zip(_items(nest1), _items(nest2), strict=True):
        _compare(one, other, check_types)


def convert_to_list(value: Any, n: int, name: str, dtype: type = int) -> list[Any]:
    """Return an argument that may be one number for all dimensions as a list of n numbers.

    Arguments:
        value: a number, or a list or tuple of n of them.
        n: the number of dimensions.
        name: the name of the argument.
        dtype: `int` or `float`.

    Returns:
        A list of n numbers.

    Raises:
        ArgumentValueError: `value` is neither.

    >>> from paddle_lite.fluid.layers.utils import convert_to_list
    >>> convert_to_list(3, 2, 'stride'), convert_to_list((1, 2), 2, 'stride')
    ([3, 3], [1, 2])
    """
    if isinstance(value, dtype):
        return [value] * n
    needs = f"a number of type {dtype.__name__}, or a list or tuple of {n} of them"
    try:
        values = list(value)
    except TypeError:
        values = []
    if len(values) != n:
        raise ArgumentValueError(message("convert_to_list", name, describe(value), needs))
    for each in values:
        try:
            dtype(each)
        except (TypeError, ValueError):
            raise ArgumentValueError(message("convert_to_list", name, describe(value), needs)) from None
    return values


def as_list(x: Any) -> list[Any]:
    """Return a sequence as a list, None as an empty one, and anything else as a list of it.

    >>> from paddle_lite.fluid.backward import _as_list
    >>> _as_list(None), _as_list('x'), _as_list(('x', 'y'))
    ([], ['x'], ['x', 'y'])
    """
    return [] if x is None else list(x) if isinstance(x, Sequence) and not isinstance(x, str) else [x]


def _is_symmetric_padding(padding: Sequence[int], data_dim: int) -> bool:
    """Return whether as much is padded before as behind, in each dimension.

    Arguments:
        padding: one number for each dimension, or two.
        data_dim: the number of dimensions.

    Raises:
        ArgumentValueError: the length of `padding` is another one.
    """
    if len(padding) not in (data_dim, 2 * data_dim):
        needs = f"{data_dim} or {2 * data_dim} numbers"
        raise ArgumentValueError(message("_is_symmetric_padding", "padding", list(padding), needs))
    return len(padding) == data_dim or list(padding[::2]) == list(padding[1::2])


def _contain_var(list_or_tuple: Sequence[Any]) -> bool:
    """Return whether one of the values is a Variable."""
    return any(state.mode.is_variable(each) for each in list_or_tuple)


def extract_vars(inputs: Any) -> list[Any]:
    """Return the Variables in nested lists and tuples, in order; other values, dicts among them, are passed over.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [1], 'float32')
    ...     [v.name for v in fluid.dygraph.jit.extract_vars([x, (3, [x])])]
    ['x', 'x']
    """
    if isinstance(inputs, (list, tuple)):
        return [found for each in inputs for found in extract_vars(each)]
    return [inputs] if is_variable(inputs) else []


def hold_mutable_vars(structure: Any) -> bool:
    """Return whether a sequence holds another sequence or dict.

    >>> from paddle_lite.fluid.layers.utils import hold_mutable_vars
    >>> hold_mutable_vars([1, [2]]), hold_mutable_vars([1, 2])
    (True, False)
    """
    return _is_nested(structure) and any(_is_nested(each) for each in _items(structure))


def copy_mutable_vars(structure: Any) -> Any:
    """Return the structure with its lists and dicts copied, and the same leaves.

    Arguments:
        structure: nested lists, tuples and dicts, or one leaf.

    Returns:
        A value of that structure.

    Raises:
        ArgumentTypeError: the keys of a dict cannot be compared.

    >>> from paddle_lite.fluid.layers.utils import copy_mutable_vars
    >>> one = [1, [2]]
    >>> two = copy_mutable_vars(one)
    >>> two[1].append(3)
    >>> one
    [1, [2]]
    """
    return pack_sequence_as(structure, flatten(structure)) if _is_nested(structure) else copy.copy(structure)
