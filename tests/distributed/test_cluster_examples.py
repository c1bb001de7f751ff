"""The examples of docs/distributed.md for SLURM and Kubernetes, as far as one machine can run them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paddle_lite.distributed import launch
from paddle_lite.distributed.environment import place
from paddle_lite.distributed.processes.local import tasks

from .test_job import ports

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "distributed.md").read_text()
MACHINES = ("127.0.0.1", "127.0.0.2")
SRUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
status=0
export SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0
for SLURMD_NODENAME in {machines}; do export SLURMD_NODENAME; "$@" & export SLURM_PROCID=1; done
for job in $(jobs -p); do wait $job || status=1; done
exit $status
"""
WORKER = """import sys, numpy as np
from paddle_lite.distributed.collective.current import group
job, total = group(), np.ones(1)
job.allreduce([total])
open(f"{sys.argv[0]}.{job.rank}", "w").write(f"{job.size} {total[0]}")
"""


def blocks(heading: str, language: str) -> list[str]:
    section = PAGE.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="127.0.0.2 is an address of this machine on Linux only"
)
def test_launchers_that_srun_starts_find_each_other(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    _, script = blocks("SLURM", "bash")
    worker, tools = tmp_path / "train.py", tmp_path / "bin"
    worker.write_text(WORKER)
    tools.mkdir()
    lines = {
        "srun": SRUN.format(machines=" ".join(MACHINES)),
        "scontrol": f"#!/bin/sh\nprintf '%s\\n' {' '.join(MACHINES)}\n",
    }
    for name, text in lines.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    [port] = ports(1)
    own = f"--started_port {port.rpartition(':')[2]} --nproc_per_node 1"
    script = (
        script.replace("--nproc_per_node 2", own)
        .replace("train.py", str(worker))
        .replace("python ", f"{sys.executable} ")
    )
    assert own in script and str(worker) in script
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(tmp_path / f"train.py.{rank}").read_text() for rank in (0, 1)] == ["2 2.0", "2 2.0"]


def test_a_task_of_srun_knows_its_place() -> None:
    [script, _] = blocks("SLURM", "bash")
    assert "srun --mpi=pmi2 --kill-on-bad-exit=1 python -m paddle_lite run train.py" in script
    found = place("environment", {"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8", "SLURM_NTASKS": "16"})
    assert (found.rank, found.size, found.under_mpi) == (5, 8, True)


def test_the_manifest_of_kubernetes_starts_the_workers_of_each_pod() -> None:
    yaml = pytest.importorskip("yaml")
    [text] = blocks("Kubernetes", "yaml")
    service, pods = yaml.safe_load_all(text)
    assert (service["kind"], pods["kind"], pods["apiVersion"]) == ("Service", "StatefulSet", "apps/v1")
    name, spec = service["metadata"]["name"], pods["spec"]
    labels: dict[str, Any] = spec["template"]["metadata"]["labels"]
    assert service["spec"]["clusterIP"] == "None" and service["spec"]["publishNotReadyAddresses"] is True
    assert spec["serviceName"] == name and spec["podManagementPolicy"] == "Parallel"
    assert service["spec"]["selector"] == spec["selector"]["matchLabels"] == labels
    [container] = spec["template"]["spec"]["containers"]
    assert {each["name"] for each in container["volumeMounts"]} == {
        each["name"] for each in spec["template"]["spec"]["volumes"]
    }
    assert container["command"] == ["/bin/sh", "-c"]
    pods_of_set = [f"{pods['metadata']['name']}-{number}" for number in range(spec["replicas"])]
    ranks = []
    for pod in pods_of_set:
        words = shlex.split(container["args"][0].replace("$(hostname)", pod))
        assert words[:6] == ["python", "-m", "paddle_lite", "run", "-m", "paddle.distributed.launch"]
        args = launch._parse_args(words[6:])
        assert args.cluster_node_ips.split(",") == [f"{each}.{name}" for each in pods_of_set] and args.restarts == 3
        found = tasks(*launch.get_cluster_from_args(args, launch.get_gpus(args.selected_gpus, args.gpus)), None)
        ranks += [task.rank for task in found]
        assert {task.variables["PADDLE_TRAINERS_NUM"] for task in found} == {str(2 * len(pods_of_set))}
        assert all(task.endpoint.startswith(f"{pod}.{name}:") for task in found)
    assert ranks == [0, 1, 2, 3]
