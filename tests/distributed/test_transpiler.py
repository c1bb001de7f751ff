"""The Programs of a job are those that PaddlePaddle 1.8.5 writes."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError, NotYetAvailable

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import programs  # noqa: E402

RECORDED = json.loads((HERE / "transpiled.json").read_text(encoding="utf8"))
RPC = {
    "send",
    "send_barrier",
    "recv",
    "fetch_barrier",
    "split_byref",
    "split_selected_rows",
    "listen_and_serv",
    "fake_init",
}


def test_all_cases_are_recorded() -> None:
    assert set(RECORDED) == set(programs.CASES)


# 1.8.5 sends after the regularization, which no longer runs there
SENT_LATER = ("momentum", "penalised_table", "clipped", "clipped_table", "clipped_by_value", "clipped_asynchronous")
TABLE_NOT_FOUND = ("penalised_table", "clipped_table")  # by 1.8.5, since another operator has made the gradient


@pytest.mark.parametrize("name", programs.CASES)
def test_programs_are_those_of_1_8_5(name: str) -> None:
    ours = json.loads(json.dumps(programs.transpiled(fluid, **programs.CASES[name])))
    for process, theirs in RECORDED[name].items():
        for mine, other in zip(ours[process], theirs, strict=True):
            if name in SENT_LATER:
                mine, other = ([sorted(ops, key=str) for ops in blocks] for blocks in (mine, other))
            if name in TABLE_NOT_FOUND and process != "trainer":
                mine, other = (_without(each, "sparse_grad_to_param") for each in (mine, other))
            assert compared(mine) == compared(other), process


@pytest.mark.parametrize(("name", "drawn"), [("plain", 6), ("table", 7), ("split_when_sent", 7), ("geo", 3)])
def test_as_many_random_numbers_are_drawn_as_by_1_8_5(name: str, drawn: int) -> None:
    """A program that seeds `random` before and shuffles later sees its data in the same order."""
    random.seed(1)
    programs.transpiled(fluid, **programs.CASES[name])
    other = random.Random(1)
    for _ in range(drawn):
        other.random()
    assert random.getstate() == other.getstate()


STEP = "@LR_DECAY_COUNTER@.trainer_0"


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"sync_mode": True}, None),
        ({"sync_mode": False}, []),
        ({"sync_mode": False, "runtime_split_send_recv": True}, [STEP]),
        ({"sync_mode": False, "runtime_split_send_recv": True, "half_async": True}, [STEP]),
    ],
)
def test_trainers_tell_of_a_step_where_learning_rates_decay(settings: dict, names: list[str] | None) -> None:
    """As in 1.8.5, whose servers count steps by that in asynchronous training; `names`: its attribute send_varnames."""
    config = fluid.DistributeTranspilerConfig()
    for name, value in settings.items():
        setattr(config, name, value)
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4], "float32"), 1))
        fluid.optimizer.SGD(fluid.layers.exponential_decay(0.1, 10, 0.9)).minimize(loss)
    job = fluid.DistributeTranspiler(config)
    pservers = ",".join(programs.ENDPOINTS[:2])
    job.transpile(0, main, pservers, 2, startup_program=startup, sync_mode=settings["sync_mode"])
    ops = job.get_trainer_program(wait_port=False).global_block().ops
    told = [op for op in ops if op.type == "send" and not op.attr("use_send_handler")]
    made = [name for op in startup.global_block().ops for name in op.output_arg_names if name == STEP]
    if names is None:
        assert not told and not made
        return
    assert [op.input("X") for op in told] == [[STEP]] and made == [STEP]
    found = {
        name: told[0].attr(name)
        for name in ("epmap", "op_role", "op_role_var", "send_varnames", "sections", "merge_add")
    }
    assert found == {
        "epmap": programs.ENDPOINTS[:2], "op_role": 4, "op_role_var": [STEP, STEP], "send_varnames": names, "sections": [],
        "merge_add": True,
    }  # fmt: skip
    after = ["send_barrier"] if "half_async" in settings else []
    assert [op.type for op in ops[ops.index(told[0]) + 1 :]] == [*after, "recv", "recv"]


def _without(blocks: list, attribute: str) -> list:
    """Return blocks of operators without an attribute."""
    return [
        [
            [{k: v for k, v in part.items() if k != attribute} if isinstance(part, dict) else part for part in op]
            for op in ops
        ]
        for ops in blocks
    ]


def compared(blocks: list) -> list:
    """Return of each operator what both must have: everything of those that communicate, type and names of the others."""
    found = []
    for ops in blocks:
        found.append([])
        for type, inputs, outputs, attrs in ops:
            if type in RPC:
                said = {k: v for k, v in attrs.items() if k not in UNSAID.get(type, ())}
                found[-1].append([type, inputs, outputs, said])
            else:
                found[-1].append(
                    [type, named(inputs), named(outputs), attrs.get("scale"), attrs.get("remote_prefetch")]
                )
    return found


# Without sync_mode=False in its config 1.8.5 makes servers that wait for barriers which asynchronous trainers never send.
UNSAID = {"listen_and_serv": ["distributed_mode", "op_role"], "send": ["trainer_id"], "fake_init": ["op_role"]}


def named(slots: dict[str, Any]) -> dict[str, Any]:
    """Without generated names of temporary results, which depend on what was built before."""
    return {
        slot: ["temporary" if "tmp" in name or "generated" in name else name for name in names]
        for slot, names in slots.items()
        if slot != "MaxIndex"
    }


def network() -> tuple[Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        programs.build(fluid)
    return main, startup


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"trainers": 0}, ArgumentValueError, "transpile: trainers got int 0"),
        ({"trainers": "a,b"}, ArgumentValueError, "transpile: trainers got str"),
        ({"trainer_id": -1}, ArgumentValueError, "transpile: trainer_id got int -1"),
        ({"pservers": "here"}, ArgumentValueError, "transpile: endpoint got 'here', needs HOST:PORT"),
        ({"pservers": "127.0.0.1:99999"}, ArgumentValueError, "endpoint got '127.0.0.1:99999'"),
    ],
)
def test_wrong_arguments_are_named(changed: dict, error: type, says: str) -> None:
    main, startup = network()
    given = {"trainer_id": 0, "program": main, "startup_program": startup, "pservers": "127.0.0.1:6170", "trainers": 2}
    with pytest.raises(error, match=says):
        fluid.DistributeTranspiler().transpile(**{**given, **changed})


def test_a_program_without_an_optimizer_is_transpiled_with_a_warning() -> None:
    program = fluid.Program()
    with fluid.program_guard(program):
        fluid.layers.mean(fluid.data("x", [1, 5]))
    t = fluid.DistributeTranspiler()
    with pytest.warns(UserWarning, match=r"no update of a parameter, needs some. .* Call minimize\(\)"):
        t.transpile(0, program, "127.0.0.1:6170,127.0.0.1:6171", 2, True, fluid.Program())
    assert [op.type for op in t.get_pserver_program("127.0.0.1:6171").global_block().ops] == ["listen_and_serv"]
    assert [op.type for op in t.get_trainer_program(wait_port=False).global_block().ops] == [
        "mean",
        "send_barrier",
        "fetch_barrier",
    ]


def test_what_is_asked_too_early_or_is_not_there() -> None:
    t = fluid.DistributeTranspiler()
    for call in (t.get_trainer_program, lambda: t.get_startup_program("127.0.0.1:6170")):
        with pytest.raises(ModeError, match=r"call transpile\(\) first"):
            call()
    main, startup = network()
    t.transpile(0, main, "127.0.0.1:6170", 2, True, startup)
    with pytest.raises(
        ArgumentValueError, match=r"endpoint got 'other:1', needs one of the job's servers: 127.0.0.1:6170"
    ):
        t.get_pserver_program("other:1")
    main, startup = network()
    t.transpile(2, main, "127.0.0.1:6170", 2, True, startup)  # as a server may, which counts itself
    with pytest.raises(ArgumentValueError, match="trainer_id of transpile got 2, needs 0 to 1, for `trainers` is 2"):
        t.get_trainer_program(wait_port=False)
    assert t.get_pserver_program("127.0.0.1:6170").global_block().ops[0].type == "listen_and_serv"
    with pytest.raises(ArgumentTypeError, match="config got int 3"):
        fluid.DistributeTranspiler(config=3)
    config = fluid.DistributeTranspilerConfig()
    with pytest.raises(ValueError, match=r"make ensure config.sync_mode is false at first"):
        config.runtime_split_send_recv = True
    config.enable_dc_asgd = True
    with pytest.raises(NotYetAvailable, match="enable_dc_asgd is not yet available"):
        fluid.DistributeTranspiler(config=config).transpile(0, main, "127.0.0.1:6170", 2, True, startup)


def test_names_choose_servers_alike_in_every_process() -> None:
    rule = fluid.transpiler.HashName(programs.ENDPOINTS)
    names = [f"w_{i}" for i in range(40)]
    assert rule.dispatch(names) == rule.dispatch(names) and set(rule.dispatch(names)) == set(programs.ENDPOINTS)


@pytest.mark.parametrize("dispatcher", ["first", "HashName"])
def test_blocks_of_a_parameter_are_on_different_servers(dispatcher: str) -> None:
    class First(fluid.transpiler.ps_dispatcher.PSDispatcher):
        def dispatch(self, varlist: Any) -> list[str]:
            return [self.eps[-1] for _ in varlist]

    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        programs.build(fluid, width=300, name="momentum")
    config = fluid.DistributeTranspilerConfig()
    config.split_method = First if dispatcher == "first" else fluid.transpiler.HashName
    t = fluid.DistributeTranspiler(config)
    t.transpile(0, main, ",".join(programs.ENDPOINTS), 2, True, startup)
    held = []
    for endpoint in programs.ENDPOINTS:
        served, first = t.get_pserver_programs(endpoint)
        names = [op.input("Param")[0] for block in served.blocks for op in block.ops if op.type == "momentum"]
        held += names
        initialised = [name for op in first.global_block().ops for name in op.output_arg_names]
        assert set(names) <= set(initialised) and len(initialised) == len(set(initialised))
        assert sum(name.startswith("fc_0.w_0.block") for name in names) == 1
    assert sorted(held) == ["fc_0.b_0", *(f"fc_0.w_0.block{i}" for i in range(3)), "fc_1.b_0", "fc_1.w_0"]
