"""Checkpoints are whole or not there, and hold everything."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import distributed, fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.distributed import checkpoints
from paddle_lite.io.parts import _written_by_servers
from paddle_lite.static.operators import peers as of_process
from paddle_lite.static.proto import streams

ENDPOINTS = "127.0.0.1:6170,127.0.0.1:6171"


def trainer() -> tuple[Any, Any, Any]:
    """Return the transpiler, the Program and the startup Program of a trainer with statistics of its own."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.layers.batch_norm(
            fluid.data("x", [None, 4]), moving_mean_name="mean", moving_variance_name="variance"
        )
        loss = fluid.layers.mean(fluid.layers.fc(x, 3, param_attr="w", bias_attr="b"))
        fluid.optimizer.Adam(fluid.layers.exponential_decay(0.1, 2, 0.5)).minimize(loss)
        t = fluid.DistributeTranspiler()
        t.transpile(0, main, ENDPOINTS, 2, True, startup)
        t.get_trainer_program(wait_port=False)
    return t, main, startup


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """Stand-ins for the servers, which hold these values."""
    values: dict[str, np.ndarray] = {}

    class Fakes:
        def expect(self, endpoints: Any) -> None:
            assert endpoints  # of all servers of the job

        def receive(self, names: Any, endpoints: Any, trainer_id: int, now: bool = False) -> list[np.ndarray]:
            return [values[name] for name in names]

    monkeypatch.setattr(of_process._Current, "peers", Fakes())
    return values


def save(folder: Path, step: int, t: Any, program: Any, held: dict, mean: float = 0.0, **settings: Any) -> str:
    scope = fluid.global_scope()
    for name in ("mean", "variance"):
        scope.var(name).get_tensor().set(np.full(4, mean + step, "float32"), fluid.CPUPlace())
    for name, [part, *_] in program._server_parts.items():
        variable = t._source.global_block().var(name)
        shape = [n if n > 0 else 1 for n in variable.shape]
        held[part.name] = np.full(shape, step, "int64" if name == "@LR_DECAY_COUNTER@" else "float32")
    return distributed.save_checkpoint(fluid.Executor(), folder, step, program, **settings)


def test_servers_and_trainers_load_their_parts(tmp_path: Path, held: dict) -> None:
    t, program, _ = trainer()
    with fluid.scope_guard(fluid.Scope()):
        path = save(tmp_path, 7, t, program, held, mean=0.5, state={"epoch": 2})
    kept = {each.name for each in Path(path).iterdir()}
    assert {"w", "b", "w_moment1_0", "w_beta1_pow_acc_0", "@LR_DECAY_COUNTER@", "mean", "variance"} <= kept
    loaded = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing begins anew
        for endpoint in ENDPOINTS.split(","):
            with fluid.scope_guard(fluid.Scope()) as _:
                of_server, startup = t.get_pserver_programs(endpoint)
                exe = fluid.Executor()
                exe.run(startup)
                found = distributed.load_checkpoint(exe, tmp_path, of_server)
                assert (found.step, found.state, found.path) == (7, {"epoch": 2}, path)
                loaded |= {name: np.array(v.array) for name, v in fluid.global_scope().values.items()}
    for name in ("w", "b", "w_moment1_0", "@LR_DECAY_COUNTER@"):
        assert (loaded[name] == 7).all(), name
    with fluid.scope_guard(fluid.Scope()):
        distributed.load_checkpoint(fluid.Executor(), tmp_path, program)
        assert np.array(fluid.global_scope().find_var("mean").get_tensor()).tolist() == [7.5] * 4
        assert fluid.global_scope().find_var("w") is None


@pytest.mark.parametrize("at", ["_publish", "publish_folder", "_sizes"])
def test_a_save_that_is_cut_off_leaves_the_one_before(
    tmp_path: Path, held: dict, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    t, program, _ = trainer()
    with fluid.scope_guard(fluid.Scope()):
        save(tmp_path, 5, t, program, held)
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(checkpoints, at, interrupt)
            save(tmp_path, 10, t, program, held)
        assert distributed.latest_checkpoint(tmp_path).step == 5
        assert list(tmp_path.glob("*.part"))
        save(tmp_path, 10, t, program, held)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["LATEST", "step-10", "step-5"]
    assert distributed.latest_checkpoint(tmp_path).step == 10


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def test_the_newest_whole_checkpoint_is_found_without_latest(tmp_path: Path, held: dict) -> None:
    t, program, _ = trainer()
    with fluid.scope_guard(fluid.Scope()):
        for step in (1, 2, 3):
            path = save(tmp_path, step, t, program, held, keep=3)
    (Path(path) / "w").write_bytes(b"less")
    assert distributed.latest_checkpoint(tmp_path).step == 2
    (tmp_path / "LATEST").write_bytes(b"\xff../elsewhere")
    (tmp_path / "step-2" / "checkpoint.json").write_text(json.dumps([1]))
    assert distributed.latest_checkpoint(tmp_path).step == 1
    (tmp_path / "outside").write_bytes(b"12345")
    manifest = json.loads((tmp_path / "step-1" / "checkpoint.json").read_text())
    for name in ("../outside", str(tmp_path / "outside")):
        manifest["files"] = {name: 5}
        (tmp_path / "step-1" / "checkpoint.json").write_text(json.dumps(manifest))
        assert distributed.latest_checkpoint(tmp_path) is None
    assert distributed.latest_checkpoint(tmp_path / "nowhere") is None


def test_a_step_that_is_saved_again_takes_the_place_of_the_first(tmp_path: Path, held: dict) -> None:
    t, program, _ = trainer()
    with fluid.scope_guard(fluid.Scope()):
        for mean in (0.25, 0.75):
            path = save(tmp_path, 4, t, program, held, mean=mean)
    assert streams.load_tensor(f"{path}/mean").array[0] == 4.75
    assert distributed.load_checkpoint(fluid.Executor(), tmp_path / "none", program) is None


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [({"step": -1}, ArgumentValueError), ({"step": 1, "keep": 0}, ArgumentValueError), ({"step": 1, "state": {"a": {1}}}, ArgumentTypeError)],
)  # fmt: skip
def test_wrong_arguments_are_named(tmp_path: Path, wrong: dict, kind: Any) -> None:
    with pytest.raises(kind, match=f"save_checkpoint: {list(wrong)[-1]} got"):
        distributed.save_checkpoint(fluid.Executor(), tmp_path, **wrong)
    assert not list(tmp_path.iterdir())


def test_a_table_that_servers_have_written_is_put_together(tmp_path: Path) -> None:
    whole = np.arange(10, dtype="float32").reshape(5, 2)
    for number, part in enumerate((whole[:3], whole[3:])):
        streams.save_table(tmp_path / f"table_{number}", part)
        data = (tmp_path / f"table_{number}").read_bytes()
        assert data[4:12] == bytes(8)  # no rows are listed, as by servers of 1.8.5
        assert streams.load_selected_rows(tmp_path / f"table_{number}").rows.tolist() == [*range(len(part))]
    np.testing.assert_array_equal(_written_by_servers(str(tmp_path / "table")), whole)
