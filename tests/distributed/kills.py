"""Kill processes of a synchronous parameter-server job at random moments, and compare what comes of it with an unbroken run.

    python tests/distributed/kills.py --kills 100

A job has two servers and two trainers, a cut parameter, a table of rows, Adam, and a learning rate that decays, and saves a
checkpoint every few steps. Each kill is SIGKILL of a trainer or of a server, at any moment or while a checkpoint is saved; or
SIGSTOP, of a process that then hangs (--kinds freeze). Then

- every other process must end within FLAGS_rpc_deadline + 1 s, counted from when it waits for one that had not called or listened yet, and
  its last lines must name the one that was killed;
- the job, started again, must go on at the last checkpoint whose save had returned, or a later one;
- each loss, and the parameters at the end, must be those of the unbroken run, to 2e-6.

It prints the violations, and ends with status 1 if there are any. Processes are forked from this one, which spares their imports.
"""

from __future__ import annotations

import argparse
import atexit
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import paddle_lite.distributed as distributed
from paddle_lite import fluid
from paddle_lite.static.proto import streams

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # where this file is run as a script

from tests.distributed.test_job import ports

STEPS, EVERY, TRAINERS, SERVERS, ROWS = 24, 4, 2, 2, 40
DEADLINE = 2.5  # seconds
KINDS = ("trainer", "server", "save", "freeze")
UNSTARTED = ("never been heard of", "does not listen")  # of a process that was killed before it took part
TOLERANCE = 1e-5  # of the loss: updates add in another order than one process does


def network() -> Any:
    x, y = fluid.data("x", [None, 8], "float32"), fluid.data("y", [None, 1], "float32")
    ids = fluid.data("ids", [None, 1], "int64")
    made = [fluid.ParamAttr(initializer=fluid.initializer.Constant(v)) for v in (0.02, -0.03)]
    table = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.1))
    words = fluid.layers.embedding(ids, [ROWS, 8], is_sparse=True, param_attr=table)
    hidden = fluid.layers.fc(x + words, 2048, act="tanh", param_attr=made[0])  # of two blocks, one on each server
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1, param_attr=made[1]), y))
    fluid.optimizer.Adam(fluid.layers.exponential_decay(0.01, 5, 0.8)).minimize(loss)
    return loss


def batch(step: int, trainer: int) -> dict[str, Any]:
    chance = np.random.RandomState(100 * step + trainer)
    x = chance.standard_normal((4, 8)).astype("float32")
    return {"x": x, "y": x[:, :3].sum(1, keepdims=True), "ids": chance.randint(0, ROWS, (4, 1))}


def work(role: str, number: int, endpoints: list[str], folder: Path) -> None:
    """Be a process of the job."""
    fluid.set_flags({"FLAGS_rpc_deadline": int(1000 * DEADLINE), "FLAGS_rpc_retry_times": 1})
    loss, exe, saves = network(), fluid.Executor(fluid.CPUPlace()), folder / "checkpoints"
    t = fluid.DistributeTranspiler()
    t.transpile(number, pservers=",".join(endpoints), trainers=TRAINERS)
    if role == "server":
        program, startup = t.get_pserver_programs(endpoints[number])
        exe.run(startup)
        distributed.load_checkpoint(exe, saves, program)
        exe.run(program)
        return
    program = t.get_trainer_program()
    exe.run(fluid.default_startup_program())
    found = distributed.load_checkpoint(exe, saves, program)
    first = 0 if found is None else found.step
    print("first", first, flush=True)
    for step in range(first, STEPS):
        [value] = exe.run(program, feed=batch(step, number), fetch_list=[loss])
        print("loss", step, repr(float(value.reshape(-1)[0])), flush=True)
        if number == 0 and (step + 1) % EVERY == 0:
            print("saving", step + 1, flush=True)
            distributed.save_checkpoint(exe, saves, step + 1, program)
            print("saved", step + 1, flush=True)
    if number == 0:
        fluid.io.save_persistables(exe, str(folder / "final"), program)
    exe.close()
    print("done", flush=True)


def warm() -> None:
    """Import, before processes are forked, what each needs: run a step in one process, and both sides of the transpiler."""
    __import__("grpc")
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
        loss, exe = network(), fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        exe.run(main, feed=batch(0, 0), fetch_list=[loss])
        t = fluid.DistributeTranspiler()
        t.transpile(0, main, "127.0.0.1:1,127.0.0.1:2", TRAINERS, True, startup)
        exe.run(t.get_pserver_programs("127.0.0.1:1")[1])
    for name in ("peers", "server.serving", "rpc.service"):
        importlib.import_module(f"paddle_lite.distributed.{name}")


class Process:
    """A forked process of the job."""

    def __init__(self, role: str, number: int, endpoints: list[str], folder: Path) -> None:
        self.role, self.number, self.endpoint = role, number, endpoints[number] if role == "server" else ""
        self.log = folder / f"{role}{number}.log"
        self.ended: float | None = None
        self.status = 0
        self.log.write_bytes(b"")  # a process that is killed at once would leave the lines of the former one there
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._run(endpoints, folder)

    def _run(self, endpoints: list[str], folder: Path) -> None:
        file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        status = 0
        try:
            work(self.role, self.number, endpoints, folder)
        except BaseException as error:
            sys.last_type, sys.last_value = type(error), error
            traceback.print_exc()
            status = 1
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

    def poll(self) -> bool:
        """Return whether it has ended."""
        if self.ended is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.ended, self.status = time.monotonic(), os.waitstatus_to_exitcode(status)
        return self.ended is not None

    def kill(self) -> None:
        if not self.poll():
            os.kill(self.pid, signal.SIGKILL)

    def lines(self, kind: str) -> list[list[str]]:
        """Return the words of the lines that begin with one."""
        text = self.log.read_text() if self.log.exists() else ""
        return [
            line.split() for line in text.splitlines(keepends=True) if line.startswith(kind + " ") and line[-1] == "\n"
        ]

    def names(self, dead: Process) -> bool:
        text = self.log.read_text()[-4000:]
        return "PeerLost" in text and (
            f"{dead.role} {dead.number} " in text if dead.role == "trainer" else dead.endpoint in text
        )


class Job:
    """The processes of a job, from one start to its end."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        endpoints = ports(SERVERS)
        self.processes = [Process("server", i, endpoints, folder) for i in range(SERVERS)]
        self.processes += [Process("trainer", i, endpoints, folder) for i in range(TRAINERS)]
        self.first = self.processes[SERVERS]

    def ended(self) -> int:
        """Return how many processes have ended, each of which notes when."""
        return sum(each.poll() for each in self.processes)

    def wait(self, seconds: float) -> bool:
        """Wait until all have ended; return whether they have."""
        ends = time.monotonic() + seconds
        while self.ended() < len(self.processes):
            if time.monotonic() > ends:
                return False
            time.sleep(0.005)
        return True

    def wait_for_others(self, victim: Process, seconds: float) -> None:
        """Wait until all but one have ended."""
        ends = time.monotonic() + seconds
        while self.ended() < len(self.processes) - 1 and not victim.poll() and time.monotonic() < ends:
            time.sleep(0.005)

    def stop(self) -> None:
        for each in self.processes:
            each.kill()
        self.wait(10)

    def losses(self) -> list[tuple[int, int, float]]:
        """Return (trainer, step, loss) of each step that was printed."""
        trainers = self.processes[SERVERS:]
        return [(t.number, int(step), float(value)) for t in trainers for _, step, value in t.lines("loss")]


class Campaign:
    """Kills in job after job.

    Arguments:
        root: a folder for their files.
        seed: of the moments and victims.
        kinds: of kills.
    """

    def __init__(self, root: Path, seed: int, kinds: Sequence[str]) -> None:
        self.root, self.chance = root, random.Random(seed)
        self.violations: list[str] = []
        self.kills = dict.fromkeys(kinds, 0)
        self.slowest = 0.0  # from a kill to the end of the last other process
        self.lost: list[int] = []  # steps that were lost in each kill
        self.jobs = 0
        warm()
        began = time.monotonic()
        whole = Job(root / "whole")
        assert whole.wait(90) and not any(each.status for each in whole.processes), whole.first.log.read_text()
        self.lasts = time.monotonic() - began
        self.losses = {(trainer, step): value for trainer, step, value in whole.losses()}
        assert len(self.losses) == TRAINERS * STEPS, (len(self.losses), whole.first.log.read_text())
        self.final = root / "whole" / "final"

    def run(self, kills: int) -> None:
        """Kill until there have been so many kills; each job is finished after its last one."""
        while sum(self.kills.values()) < kills:
            folder = self.root / f"job{self.jobs}"
            self.jobs += 1
            most = self.chance.randint(1, 6)
            while sum(self.kills.values()) < kills and most > 0 and self._once(folder):
                most -= 1
            self._finish(folder)

    def _start(self, folder: Path) -> Job:
        self.saved = self._saved(folder)
        return Job(folder)

    def _saved(self, folder: Path) -> int:
        found = distributed.latest_checkpoint(folder / "checkpoints")
        return 0 if found is None else found.step

    def _once(self, folder: Path) -> bool:
        """Run a job up to a kill; return False where it ended before."""
        job = self._start(folder)
        target = self.chance.choice([*self.kills])
        victim = job.first if target == "save" and self.chance.random() < 0.6 else self.chance.choice(job.processes)
        if target in ("trainer", "server"):
            victim = self.chance.choice([each for each in job.processes if each.role == target])
        self._await_moment(job, target)
        if job.ended():
            job.wait(30)
            self.lasts *= 0.9
            self._check(job, folder, None)
            return False
        killed = time.monotonic()
        if target == "freeze":
            os.kill(victim.pid, signal.SIGSTOP)
            job.wait_for_others(victim, DEADLINE + 10)
        victim.kill()
        self.kills[target] += 1
        if not job.wait(DEADLINE + 10):
            self._violated(folder, f"{target}: a process hangs {DEADLINE + 10:.0f} s after the kill")
            job.stop()
        self._check(job, folder, victim)
        finished = all(each.lines("done") == [] and each.status == 0 for each in job.processes if each is not victim)
        for each in job.processes:
            if each is victim or finished:
                continue
            took = (each.ended or 1e9) - killed
            text = each.log.read_text()
            known = not any(words in text for words in UNSTARTED)
            self.slowest = max(self.slowest, took if known else 0)
            if each.status != 0 and (took > DEADLINE + 1 + (0 if known else self.lasts) or not each.names(victim)):
                last = [line for line in each.log.read_text().splitlines() if "PeerLost" in line][-1:]
                self._violated(folder, f"{each.log.stem} ended {took:.1f} s after {victim.log.stem}: {last}")
        return True

    def _await_moment(self, job: Job, target: str) -> None:
        """Wait for a random moment, during a save if the target is one."""
        begin = time.monotonic()
        if target == "save":
            wanted, ends = self.chance.randint(1, 3), begin + 4 * self.lasts
            while len(job.first.lines("saving")) < wanted and time.monotonic() < ends and not job.first.poll():
                time.sleep(0.0005)
            time.sleep(self.chance.random() * 0.02)
        else:
            time.sleep(self.chance.random() * self.lasts)

    def _check(self, job: Job, folder: Path, victim: Process | None) -> None:
        """Compare what trainers have printed with the unbroken run, and where they began with the last checkpoint."""
        for trainer in job.processes[SERVERS:]:
            for _, first in trainer.lines("first"):
                if int(first) != self.saved:
                    self._violated(folder, f"{trainer.log.stem} began at step {first}, not at {self.saved}")
        for number, step, value in job.losses():
            if abs(value - self.losses[number, step]) > TOLERANCE * max(1.0, abs(value)):
                self._violated(folder, f"step {step} of trainer {number}: {value}, not {self.losses[number, step]}")
        reported = [int(step) for _, step in job.first.lines("saved")]
        now = self._saved(folder)
        if now < max(reported, default=self.saved):
            self._violated(folder, f"the checkpoint of step {max(reported)} is lost: the newest is of {now}")
        if victim is not None:
            done = 1 + max((step for _, step, _ in job.losses()), default=now - 1)
            self.lost.append(max(0, done - now))
            if done - now > EVERY:
                self._violated(folder, f"{done - now} steps are lost")

    def _finish(self, folder: Path) -> None:
        """Run a job to its end, and compare its parameters with those of the unbroken run."""
        began = time.monotonic()
        job = self._start(folder)
        if not job.wait(60) or any(each.status for each in job.processes):
            self._violated(folder, "the job did not end well")
            job.stop()
            return
        if job.first.lines("first") == [["first", "0"]]:
            self.lasts = time.monotonic() - began
        self._check(job, folder, None)
        for path in sorted(self.final.iterdir()):
            one, other = (streams.load_tensor(str(at / path.name)).array for at in (self.final, folder / "final"))
            worst = float(np.abs(one.astype("float64") - other).max())
            if worst > TOLERANCE:
                self._violated(folder, f"{path.name} differs by {worst:.2g} at the end")

    def _violated(self, folder: Path, text: str) -> None:
        self.violations.append(f"{folder.name}: {text}")
        print("VIOLATION", self.violations[-1], flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS[:3])
    arguments = parser.parse_args()
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp())  # no TemporaryDirectory, which the end of a forked process would remove
    try:
        campaign = Campaign(folder, arguments.seed, arguments.kinds)
        campaign.run(arguments.kills)
    finally:
        shutil.rmtree(folder)
    tried = ", ".join(f"{count} {name}" for name, count in campaign.kills.items())
    print(
        f"{sum(campaign.kills.values())} kills ({tried}) in {campaign.jobs} jobs, {time.monotonic() - began:.0f} s: "
        f"{len(campaign.violations)} violations; all others ended within {campaign.slowest:.1f} s of a kill (deadline "
        f"{DEADLINE} s); steps lost: {sum(campaign.lost) / max(1, len(campaign.lost)):.1f} on average, "
        f"{max(campaign.lost, default=0)} at most (a checkpoint every {EVERY})"
    )
    return int(bool(campaign.violations))


if __name__ == "__main__":
    sys.exit(main())
