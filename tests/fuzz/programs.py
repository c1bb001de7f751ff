"""Hostile Programs: mutants of files that PaddlePaddle 1.8.5 and paddle_lite wrote, with loops, branches and gradients.

A mutant is loaded, printed, checked, cloned and run. A mutation changes the message of a Program (names, slots, attributes, blocks,
shapes) or its bytes.
"""

from __future__ import annotations

import functools
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.ops.framework.registry import all_ops
from paddle_lite.static.proto.messages import ProgramDesc
from paddle_lite.static.proto.streams import save_tensor
from tests.interop import control_nets, nets

from .examples import apart
from .judging import judged, limited
from .values import mutated

DATA = Path(__file__).parent.parent / "interop" / "data"


class Subject(NamedTuple):
    """A Program: its bytes, the values of its variables, what is fed to it, and what is fetched ([] of an inference model)."""

    name: str
    content: bytes
    state: dict[str, Any]
    feed: dict[str, Any]
    fetch: list[str]


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """Return the Programs that are mutated: inference models and training Programs, each of 1.8.5 and of paddle_lite."""
    made = []
    for file in sorted((DATA / "control").glob("*.npz")):
        name, known = file.stem, control_nets.read(file)
        state = {key.removeprefix("state/"): value for key, value in known.items() if key.startswith("state/")}
        feed = control_nets.batches(fluid, name)[0]
        made.append(Subject(f"{name}, training", known["program"].tobytes(), state, feed, [str(known["loss"])]))
        made.append(Subject(f"{name}, model", known["model"].tobytes(), state, feed, []))
    for name in nets.NETS:
        feed = nets.prepared(fluid.LoDTensor, fluid.CPUPlace(), name)[0]
        folder = DATA / "exchange" / "fluid" / name
        state = dict(fluid.load_program_state(str(folder / "train")))
        made.append(Subject(f"{name}, model", (folder / "model" / "__model__").read_bytes(), state, feed, []))
        content = (folder / "train.pdmodel").read_bytes()
        made.append(Subject(f"{name}, training", content, state, feed, _loss(content)))
    made += [_ours(name, net) for name, net in nets.NETS.items()]
    return tuple(made)


def _loss(content: bytes) -> list[str]:
    return [op.outputs[0].arguments[0] for op in ProgramDesc.FromString(content).blocks[0].ops if op.type == "mean"]


def _ours(name: str, net: Any) -> Subject:
    """A training Program of paddle_lite."""
    built = nets.Built(fluid, net)
    with fluid.scope_guard(fluid.Scope()):
        fluid.Executor().run(built.startup)
        state = {name: np.array(fluid.global_scope().find_var(name).get_tensor()) for name in built.persistables}
    feed = nets.prepared(fluid.LoDTensor, fluid.CPUPlace(), name)[0]
    return Subject(f"{name} of paddle_lite", built.main.desc.serialize_to_string(), state, feed, [built.loss.name])


# --- mutations -----------------------------------------------------------------------------------------------------------

NAMES = (
    "",
    "x",
    "@EMPTY@",
    "feed",
    "fetch",
    "a/b",
    "../x",
    "x@GRAD",
    "n" * 5000,
    "\u00e9\u4e2d",
    "x\0y",
    "None",
    "fc_0.w_0",
)
NUMBERS = (0, 1, -1, 2, 3, 100, 2**20, 2**31 - 1, -(2**31))
LONGS = (*NUMBERS, 2**40, 2**62, 2**63 - 1, -(2**63))


def _any(items: Any, random: Random) -> Any:
    return items[random.randrange(len(items))] if len(items) else None


def _block(desc: Any, random: Random) -> Any:
    return _any(desc.blocks, random)


def _op(desc: Any, random: Random) -> Any:
    block = _block(desc, random)
    return None if block is None else _any(block.ops, random)


def _var(desc: Any, random: Random) -> Any:
    block = _block(desc, random)
    return None if block is None else _any(block.vars, random)


def _name(desc: Any, random: Random) -> str:
    var = _var(desc, random)
    return random.choice(NAMES) if var is None or random.random() < 0.4 else var.name


def _remove(items: Any, random: Random) -> None:
    if len(items):
        del items[random.randrange(len(items))]


def _repeat(items: Any, random: Random) -> None:
    if len(items):
        items.add().CopyFrom(_any(items, random))


def remove_var(desc: Any, random: Random) -> None:
    _remove(_block(desc, random).vars, random)


def repeat_var(desc: Any, random: Random) -> None:
    _repeat(_block(desc, random).vars, random)


def rename_var(desc: Any, random: Random) -> None:
    var = _var(desc, random)
    if var is not None:
        var.name = _name(desc, random)


def remove_op(desc: Any, random: Random) -> None:
    _remove(_block(desc, random).ops, random)


def repeat_op(desc: Any, random: Random) -> None:
    _repeat(_block(desc, random).ops, random)


def swap_ops(desc: Any, random: Random) -> None:
    ops = _block(desc, random).ops
    if len(ops) > 1:
        one, two = _any(ops, random), _any(ops, random)
        kept = type(one)()
        kept.CopyFrom(one)
        one.CopyFrom(two)
        two.CopyFrom(kept)


def move_op(desc: Any, random: Random) -> None:
    op, block = _op(desc, random), _block(desc, random)
    if op is not None:
        block.ops.add().CopyFrom(op)


@functools.cache
def _types() -> list[str]:
    return sorted(op.type for op in all_ops())


def retype_op(desc: Any, random: Random) -> None:
    op, other = _op(desc, random), _op(desc, random)
    if op is not None:
        op.type = random.choice((random.choice(_types()), other.type if other is not None else "x", "x", ""))


def change_slot(desc: Any, random: Random) -> None:
    op = _op(desc, random)
    slot = None if op is None else _any(random.choice((op.inputs, op.outputs)), random)
    if slot is None:
        return
    kind = random.randrange(5)
    if kind == 0:
        del slot.arguments[:]
    elif kind == 1:
        slot.arguments.append(_name(desc, random))
    elif kind == 2 and len(slot.arguments):
        slot.arguments[random.randrange(len(slot.arguments))] = _name(desc, random)
    elif kind == 3:
        slot.parameter = random.choice(("X", "Out", "Y", "", "x" * 300))
    else:
        slot.arguments.extend(list(slot.arguments) * 20)


def remove_slot(desc: Any, random: Random) -> None:
    op = _op(desc, random)
    if op is not None:
        _remove(random.choice((op.inputs, op.outputs)), random)


def repeat_slot(desc: Any, random: Random) -> None:
    op = _op(desc, random)
    if op is not None:
        _repeat(random.choice((op.inputs, op.outputs)), random)


def change_attr(desc: Any, random: Random) -> None:
    """Give an attribute another value of its type, or another type."""
    op = _op(desc, random)
    attr = None if op is None else _any(op.attrs, random)
    if attr is None:
        return
    if random.random() < 0.4:
        attr.type = random.randrange(18)
    kind = random.randrange(4)
    attr.i, attr.l = random.choice(NUMBERS), random.choice(LONGS)
    attr.f = random.choice((0.0, -1.0, 1e38, float("nan"), float("inf"), 0.5))
    attr.b, attr.block_idx = random.random() < 0.5, random.choice((0, 1, 2, 3, -1, 100))
    attr.s = random.choice((*NAMES, "NHWC", "SAME", "max"))
    for field, values in (
        ("ints", NUMBERS),
        ("longs", LONGS),
        ("floats", (0.0, 1e38, float("nan"))),
        ("bools", (True, False)),
    ):
        items = getattr(attr, field)
        if kind == 0:
            del items[:]
        elif kind == 1:
            items.append(random.choice(values))
        elif kind == 2 and len(items):
            items[random.randrange(len(items))] = random.choice(values)
        elif kind == 3 and random.random() < 0.1:
            items.extend([random.choice(values)] * 100)
    if kind == 0:
        del attr.strings[:], attr.blocks_idx[:]
    elif kind == 1:
        attr.strings.append(_name(desc, random))
        attr.blocks_idx.append(random.choice((0, 1, 2, -1, 100)))


def remove_attr(desc: Any, random: Random) -> None:
    op = _op(desc, random)
    if op is not None:
        _remove(op.attrs, random)


def move_attr(desc: Any, random: Random) -> None:
    """Give an operator an attribute of another one."""
    op, other = _op(desc, random), _op(desc, random)
    attr = None if other is None else _any(other.attrs, random)
    if op is not None and attr is not None:
        op.attrs.add().CopyFrom(attr)


def rename_attr(desc: Any, random: Random) -> None:
    op, other = _op(desc, random), _op(desc, random)
    attr, model = (None if each is None else _any(each.attrs, random) for each in (op, other))
    if attr is not None and model is not None:
        attr.name = random.choice((model.name, "sub_block", "x", ""))


def change_block(desc: Any, random: Random) -> None:
    block = _block(desc, random)
    field = random.choice(("idx", "parent_idx", "forward_block_idx"))
    setattr(block, field, random.choice((0, 1, 2, 3, -1, 100, 2**31 - 1)))


def repeat_block(desc: Any, random: Random) -> None:
    _repeat(desc.blocks, random)
    if random.random() < 0.7:
        desc.blocks[-1].idx = len(desc.blocks) - 1


def remove_block(desc: Any, random: Random) -> None:
    _remove(desc.blocks, random)


def change_shape(desc: Any, random: Random) -> None:
    var = _var(desc, random)
    if var is None:
        return
    field = "selected_rows" if var.type.HasField("selected_rows") else "lod_tensor"
    tensor = getattr(var.type, field)
    tensor = tensor if field == "selected_rows" else tensor.tensor
    kind = random.randrange(4)
    if kind == 0:
        del tensor.dims[:]
    elif kind == 1:
        tensor.dims.append(random.choice(LONGS))
    elif kind == 2 and len(tensor.dims):
        tensor.dims[random.randrange(len(tensor.dims))] = random.choice(LONGS)
    elif kind == 3:
        tensor.dims.extend([random.choice((1, 2, -1))] * 40)
    if not tensor.HasField("data_type"):
        tensor.data_type = 5


def change_var(desc: Any, random: Random) -> None:
    """Change the dtype, type, LoD or flags of a variable."""
    var = _var(desc, random)
    if var is None:
        return
    kind = random.randrange(4)
    types = (0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 20, 21, 22, 23)
    if kind == 0:
        var.type.type = random.choice(types)
    elif kind == 1:
        var.type.lod_tensor.tensor.data_type = random.choice(types)
    elif kind == 2:
        var.type.lod_tensor.lod_level = random.choice(NUMBERS)
        if not var.type.lod_tensor.tensor.HasField("data_type"):
            var.type.lod_tensor.tensor.data_type = 5
    else:
        for flag in ("persistable", "need_check_feed", "is_parameter", "stop_gradient"):
            setattr(var, flag, random.random() < 0.5)


def not_utf8(content: bytes, random: Random, desc: Any) -> bytes:
    """Give a name of the file another byte, so that it is not UTF-8."""
    name = _name(desc, random).encode()
    at = content.find(name) if name else -1
    return content if at < 0 else content[:at] + b"\xff" + content[at + 1 :]


STRUCTURAL = (
    remove_var, repeat_var, rename_var, remove_op, repeat_op, swap_ops, move_op, retype_op, retype_op, change_slot, change_slot,
    change_slot, remove_slot, repeat_slot, change_attr, change_attr, change_attr, remove_attr, move_attr, rename_attr, change_block,
    repeat_block, remove_block, change_shape, change_shape, change_var, change_var,
)  # fmt: skip


class Mutation(NamedTuple):
    """what: the name of a function above, "bytes", or "not UTF-8". seed: which of its changes."""

    what: str
    seed: int


def draw(random: Random) -> list[Mutation]:
    """Return one to four mutations."""
    if random.random() < 0.12:
        return [Mutation("bytes", random.randrange(2**32)) for _ in range(random.choice((1, 1, 2, 5)))]
    if random.random() < 0.03:
        return [Mutation("not UTF-8", random.randrange(2**32))]
    return [
        Mutation(random.choice(STRUCTURAL).__name__, random.randrange(2**32))
        for _ in range(random.choice((1, 1, 1, 2, 3, 4)))
    ]


def changed(content: bytes, mutations: list[Mutation]) -> bytes:
    """Return the bytes of a Program with mutations."""
    desc = ProgramDesc.FromString(content)
    for each in mutations:
        if each.what not in ("bytes", "not UTF-8") and len(desc.blocks):
            globals()[each.what](desc, Random(each.seed))
    content = desc.SerializePartialToString(deterministic=True)
    for each in mutations:
        if each.what == "bytes":
            content = mutated(content, Random(each.seed))
        elif each.what == "not UTF-8":
            content = not_utf8(content, Random(each.seed), desc)
    return content


# --- what is done with a mutant -------------------------------------------------------------------------------------------


def run(subject: Subject, content: bytes) -> str:
    """Load, print, check, clone and run a Program; return what `judged` says of the first error, "" where there is none.

    Raises:
        Ended: something ended in an error that it must not end in.
    """
    with apart():
        try:
            with limited():
                program = fluid.Program.parse_from_string(content)
            for step in (
                lambda: str(program), lambda: program.to_string(True, True), program.lint, lambda: program.clone(for_test=True),
                lambda: program.desc.serialize_to_string(), lambda: list(program.list_vars()),
            ):  # fmt: skip
                with suppress(EnforceNotMet):
                    step()
            for name, value in subject.state.items():
                fluid.global_scope().var(name).get_tensor().set(value, fluid.CPUPlace())
            exe = fluid.Executor(fluid.CPUPlace())
            if subject.fetch:
                program = program.clone()
                for _ in range(2):
                    exe.run(program, feed=subject.feed, fetch_list=subject.fetch, return_numpy=False)
            else:
                _model(exe, content, subject)
        except BaseException as error:
            return judged(error)
    return ""


@functools.cache
def _folder(name: str) -> str:
    """Return a folder with the parameters of a subject, each in its file."""
    folder = tempfile.mkdtemp()
    for each in subjects():
        for variable, value in each.state.items() if each.name == name else ():
            save_tensor(os.path.join(folder, variable), value)
    return folder


def _model(exe: Any, content: bytes, subject: Subject) -> None:
    """Load an inference model with its parameters, and run it."""
    folder = _folder(subject.name)
    Path(folder, "__model__").write_bytes(content)
    with limited():
        program, feeds, targets = fluid.io.load_inference_model(folder, exe)
    for _ in range(2):
        exe.run(
            program,
            feed={n: subject.feed[n] for n in feeds if n in subject.feed},
            fetch_list=targets,
            return_numpy=False,
        )
