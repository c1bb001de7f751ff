"""The simulation of large jobs: against closed forms, where these exist; the same seed gives the same numbers."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("simpy")

import simpy

from benchmarks import simulate_cluster
from benchmarks.case import ROOT
from benchmarks.cluster import measure
from benchmarks.cluster.costs import NETS, RECORDED, Costs, Rule, Side, distinct
from benchmarks.cluster.jobs import Exchanged, Ran, counted
from benchmarks.cluster.machines import Machine, Network, Sharing
from benchmarks.cluster.measure import rule
from benchmarks.cluster.model import MODES, Job, simulate
from benchmarks.compare import Failure

FREE = Side(0.0, 0.0, 0.0)
AT_ONCE = Network(bandwidth=1e30, latency=0.0)


def costs(trainer: Side = FREE, server: Side = FREE, **given: float) -> Costs:
    made = Rule(**{"step": 0.01, **given})
    return Costs(trainer, server, {f"{net} {mode}": made for net in NETS for mode in MODES})


@pytest.mark.parametrize("mode", MODES)
def test_free_messages_scale_as_many_times_as_there_are_workers(mode: str) -> None:
    for workers in (1, 5):
        found = simulate(Job("ctr", mode, workers, 3, network=AT_ONCE, jitter=0.0), costs())
        assert found.step == pytest.approx(0.01) and found.rate == pytest.approx(workers * 256 / 0.01)


def test_a_server_saturates_at_one_over_its_cost() -> None:
    update, workers = 0.002, 40  # 40 trainers want 80 ms of the server in each 10 ms
    for mode in ("sync", "async"):
        job = Job("mlp", mode, workers, 1, steps=20, network=AT_ONCE)
        found = simulate(job, costs(update=update))
        least = update * workers + (
            0.01 if mode == "sync" else 0.0
        )  # synchronous trainers compute while the server waits
        assert found.step == pytest.approx(least, rel=0.06), mode


def test_a_server_of_one_trainer_adds_nothing_up() -> None:
    job = Job("mlp", "sync", 1, 1, network=AT_ONCE, jitter=0.0)
    assert simulate(job, costs(alone=0.003, update=0.002)).step == pytest.approx(0.013)
    assert simulate(replace(job, workers=2), costs(alone=0.003, update=0.002)).step == pytest.approx(0.014)


def test_geo_training_waits_for_nobody() -> None:
    job = Job(
        "mlp", "geo", 40, 1, steps=2, network=AT_ONCE, jitter=0.0
    )  # 40 trainers want 80 s of the server in each 0.1 s
    assert simulate(job, costs(update=2.0)).step == pytest.approx(0.01)


def test_servers_share_what_one_of_them_cannot_do() -> None:
    one, four = (simulate(Job("mlp", "async", 64, n, steps=20, network=AT_ONCE), costs(update=0.002)) for n in (1, 4))
    assert four.rate / one.rate == pytest.approx(4, rel=0.05)


@pytest.mark.parametrize("workers", [2, 7, 32])
def test_a_ring_carries_twice_all_but_one_share_of_the_gradients(workers: int) -> None:
    network = Network(bandwidth=1e9, latency=1e-5)
    size, hops = NETS["mlp"].dense, 2 * (workers - 1)
    found = simulate(Job("mlp", "ring", workers, network=network, jitter=0.0), costs())
    assert found.step - 0.01 == pytest.approx(hops / workers * size / 1e9 + hops * 1e-5, rel=1e-9)


def test_hops_of_a_long_ring_are_taken_together() -> None:
    network, workers = Network(bandwidth=1e9, latency=1e-5), 200
    found = simulate(Job("mlp", "ring", workers, network=network, jitter=0.0, steps=1), costs())
    hops = 2 * (workers - 1)
    assert found.step - 0.01 == pytest.approx(hops / workers * NETS["mlp"].dense / 1e9 + hops * 1e-5, rel=1e-9)


def test_the_network_bounds_what_one_server_gives() -> None:
    network, workers = Network(bandwidth=1e9, latency=0.0), 16
    found = simulate(Job("mlp", "sync", workers, 1, network=network, jitter=0.0), costs())
    one = NETS["mlp"].dense / 1e9  # seconds of a worker's gradients, while others still receive the parameters
    assert found.step == pytest.approx(0.01 + (workers + 1) * one, rel=1e-6)


def test_processes_of_one_machine_share_its_cores() -> None:
    for workers in (1, 2, 4, 8):
        found = simulate(Job("mlp", "geo", workers, shared_cores=2, steps=10, jitter=0.0), costs())
        assert found.rate == pytest.approx(min(workers, 2) * 64 / 0.01, rel=0.02)


def test_a_seed_decides_the_result() -> None:
    job = Job("ctr", "sync", 6, 2)
    recorded = Costs.load(RECORDED)
    assert simulate(job, recorded) == simulate(job, recorded)
    assert simulate(job, recorded) != simulate(replace(job, seed=1), recorded)
    still = [simulate(replace(job, seed=seed, jitter=0.0), recorded) for seed in (0, 1)]
    assert still[0] == still[1]


def test_costs_of_jobs_are_told_apart_from_those_of_calls() -> None:
    trainer, server = Side(1e-4, 2e-10, 3e-10), Side(2e-4, 4e-10, 5e-10)
    ran = {}
    for n in (1, 2):
        calls = Exchanged(5.0 * n, 1e6 * n, 2e6 * n)
        ran[n] = Ran(0.0, n * 0.004 + trainer.of(*calls), server.of(*calls) + (0.001 if n == 1 else n * 0.003), calls)
    found = rule("ctr", "sync", ran, trainer, server, 10)
    assert (found.step, found.alone, found.update) == pytest.approx((0.004, 0.001, 0.003))
    ring = rule("mlp", "ring", {1: Ran(0.0, 0.006, 0.0), 2: Ran(0.0, 0.02, 0.0)}, trainer, server, 10)
    assert (ring.step, ring.byte) == pytest.approx((0.006, 0.004 / NETS["mlp"].dense))


def test_a_trainer_says_what_it_exchanged() -> None:
    assert counted("a warning\ncalls, bytes sent, bytes received: 12 345 678\n") == (12, 345, 678)
    assert counted("examples per second: 5.0\n") == (0, 0, 0)  # PaddlePaddle 1.8.5 does not count


def test_only_the_named_costs_are_measured_and_others_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, str]] = []

    def run(runner: object, net: str, mode: str, steps: int, servers: int, trainers: int) -> Ran:
        ran.append((net, mode))
        return Ran(100.0, 0.01 * steps * trainers, 0.001 * steps * trainers)

    monkeypatch.setattr(measure, "run_job", run)
    monkeypatch.setattr(measure, "measure_calls", lambda: (FREE, FREE))
    file = tmp_path / "costs.json"
    for net, mode in (("mlp", "async"), ("ctr", "geo")):
        assert simulate_cluster.main(["--measure", str(file), "--nets", net, "--modes", mode, "--rounds", "1"]) == 0
    assert set(ran) == {("mlp", "async"), ("ctr", "geo")}
    found = Costs.load(file)
    assert set(found.rules) == {"mlp async", "ctr geo"} and found.rule("mlp", "async").step == pytest.approx(0.01)
    with pytest.raises(Failure, match=r"no ctr async, but mlp async, ctr geo\. Measure it: .*--nets ctr --modes async"):
        simulate(Job("ctr", "async", 1), found)


def test_messages_of_a_connection_take_what_both_sides_compute() -> None:
    env = simpy.Environment()
    cores = simpy.Resource(env, 4)
    here, there, other = (Sharing(cores) for _ in range(3))

    def call(peer: Sharing) -> Generator[Any, Any, None]:
        yield from here.work(0.001, peer)
        yield from peer.work(0.002, here)

    env.run(env.all_of([env.process(call(there)) for _ in range(5)]))
    assert env.now == pytest.approx(5 * 0.003)
    env.run(env.all_of([env.process(call(peer)) for peer in (there, other)]))
    assert env.now == pytest.approx(
        5 * 0.003 + 0.001 + 0.003
    )  # those of another connection wait only for what `here` does


def test_a_busy_receiver_holds_up_nobody_else() -> None:
    env = simpy.Environment()
    here, busy, idle = (Machine(env, Network(bandwidth=1.0, latency=0.5)) for _ in range(3))
    ended = {}

    def carry(name: str, source: Machine, target: Machine, size: float) -> Generator[Any, Any, None]:
        yield from source.transfer(target, size)
        ended[name] = env.now

    for name, source, target, size in (("first", idle, busy, 10), ("waits", here, busy, 2), ("free", here, idle, 3)):
        env.process(carry(name, source, target, size))
    env.run()
    assert ended == {"first": 10.5, "waits": 12.5, "free": 5.5}


@pytest.mark.parametrize("net", NETS)
def test_layers_are_the_whole_network(net: str) -> None:
    of, layers = NETS[net], NETS[net].layers()
    assert sum(layer.work for layer in layers) == pytest.approx(1.0)
    assert sum(layer.size for layer in layers) == of.dense + of.rows
    assert [size for layer in layers[::-1] for size in layer.parameters] == list(of.parameters)


def test_an_asynchronous_trainer_waits_only_for_gradients_before_its_last() -> None:
    far = Network(bandwidth=1e30, latency=0.004)  # a gradient and its receipt are 8 ms under way, less than a step
    job = Job("mlp", "async", 1, steps=20, network=far, jitter=0.0)
    assert simulate(job, costs()).step == pytest.approx(0.01)
    slow = simulate(replace(job, network=Network(bandwidth=1e30, latency=0.02)), costs())
    assert slow.step == pytest.approx(0.04)  # all that waits is sent together, when the answer to the former is there


def test_distinct_ids_are_those_that_the_program_draws() -> None:
    import numpy as np

    random = np.random.RandomState(0)
    drawn = [len(np.unique(random.zipf(1.2, 2560) % 100_000)) for _ in range(40)]
    assert distinct(2560) == pytest.approx(np.mean(drawn), rel=0.02)


def test_costs_are_saved_and_loaded(tmp_path: Path) -> None:
    made = costs(update=0.5)
    made.save(tmp_path / "costs.json")
    assert Costs.load(tmp_path / "costs.json") == made


def test_where_a_job_stops() -> None:
    assert simulate_cluster.stops({8: 8.0, 16: 15.0, 32: 20.0, 64: 21.0}) == 16
    assert simulate_cluster.stops({8: 8.0, 16: 15.0, 32: 29.0}) is None


def test_the_command_prints_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate_cluster, "WORKERS", (8, 16))
    picture = tmp_path / "scaling.svg"
    assert (
        simulate_cluster.main(["--nets", "mlp", "--modes", "sync", "ring", "--servers", "2", "--plot", str(picture)])
        == 0
    )
    text = capsys.readouterr().out
    assert "mlp: times one process" in text and "stops at" in text and "ring" in text
    assert picture.read_text().lstrip().startswith("<?xml") and "2 servers" in picture.read_text()


def test_results_are_written_into_the_tables_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    head = "text\n\n| error | 1 | 2 |\n| --- | --- | --- |\n| CTR, ring | +1 % | +2 % |\n"
    page.write_text(head + "| MLP, GEO | +3 % | +4 % |\n\n| MLP, GEO | kept |\n")
    compared = [simulate_cluster.Compared("mlp", "geo", n, 75.0 + 20 * n, 100.0) for n in (1, 2)]
    simulate_cluster.renew(page, simulate_cluster.ERRORS, simulate_cluster.errors(compared))
    assert page.read_text() == head + "| MLP, GEO | -5 % | +15 % |\n\n| MLP, GEO | kept |\n"
    worse = [simulate_cluster.Compared("mlp", "sync", 1, 79.0, 100.0)]
    assert simulate_cluster.errors(worse) == {("mlp", "sync"): ["**-21 %**"]}
    with pytest.raises(Failure, match="no row 'MLP, synchronous'"):
        simulate_cluster.renew(page, simulate_cluster.ERRORS, simulate_cluster.errors(worse))


def test_the_page_has_a_row_for_each_way_to_train() -> None:
    page = (ROOT / "docs" / "distributed.md").read_text()
    for table in (simulate_cluster.SCALING, simulate_cluster.ERRORS):
        rows = page.split(f"\n{table}")[1].split("\n\n")[0]
        for net in NETS:
            for name in simulate_cluster.NAMES.values():
                assert f"\n| {net.upper()}, {name} |" in rows
