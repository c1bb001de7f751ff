"""A process of the job of kills.py as launch_ps starts it; its server kills itself in its first life: restarted.py FOLDER."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from paddle_lite import distributed

try:
    from . import kills
except ImportError:
    import kills


def die_after(step: int, folder: Path) -> None:
    """Kill this process once the checkpoint of a step is there."""
    while True:
        found = distributed.latest_checkpoint(folder / "checkpoints")
        if found is not None and found.step >= step:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.002)


if __name__ == "__main__":
    folder, environment = Path(sys.argv[1]), os.environ
    role = "server" if environment["TRAINING_ROLE"] == "PSERVER" else "trainer"
    if role == "server" and environment["PADDLE_RESTART_COUNT"] == "0":
        threading.Thread(target=die_after, args=(8, folder), daemon=True).start()
    endpoints = environment["PADDLE_PSERVERS_IP_PORT_LIST"].split(",")
    kills.work(role, int(environment.get("PADDLE_TRAINER_ID", "0")), endpoints, folder)
