"""The simulation of large jobs: against closed forms, where these exist; the same seed gives the same numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("simpy")

from benchmarks import simulate_cluster
from benchmarks.cluster.costs import NETS, RECORDED, Costs, Rule, Side, distinct
from benchmarks.cluster.jobs import Ran
from benchmarks.cluster.machines import Network
from benchmarks.cluster.measure import exchanged, rule
from benchmarks.cluster.model import MODES, Job, simulate

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
        calls = exchanged("ctr", "sync", 10, n)
        ran[n] = Ran(0.0, n * (0.004 + trainer.of(*calls)), n * server.of(*calls) + 0.001 + n * 0.003)
    found = rule("ctr", "sync", ran, trainer, server, 10)
    assert (found.step, found.update_base, found.update) == pytest.approx((0.004, 0.001, 0.003))
    ring = rule("mlp", "ring", {1: Ran(0.0, 0.006, 0.0), 2: Ran(0.0, 0.02, 0.0)}, trainer, server, 10)
    assert (ring.step, ring.byte) == pytest.approx((0.006, 0.004 / NETS["mlp"].dense))


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
