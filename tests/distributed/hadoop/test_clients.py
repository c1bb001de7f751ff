"""The clients of Hadoop's file system, with a script in place of the command; what they do was recorded from 1.8.5."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.distributed.hadoop import barrier
from paddle_lite.fluid.contrib.utils import hdfs_utils
from paddle_lite.fluid.incubate.fleet.utils import hdfs

FAKE = Path(__file__).with_name("hadoop.sh")


class Cluster:
    """A folder with Hadoop's command, files there and files on this machine."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root, self.local, self.log = (folder / name for name in ("home", "root", "local", "log"))
        (self.home / "bin").mkdir(parents=True)
        shutil.copy(FAKE, self.home / "bin" / "hadoop")
        (self.home / "bin" / "hadoop").chmod(0o755)
        for path in (
            "root/data/f3", "root/data/f1", "root/data/f2", "root/data/sub/g0", "local/one", "local/up/two", "local/up/in/three",
        ):  # fmt: skip
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(path)

    def commands(self) -> list[str]:
        """Return the commands since the last call."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.write_text("")
        return lines

    def files(self, folder: Path) -> list[str]:
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster(tmp_path)
    monkeypatch.setenv("FAKE_ROOT", str(made.root))
    monkeypatch.setenv("FAKE_LOG", str(made.log))
    return made


@pytest.fixture(params=[hdfs_utils, hdfs], ids=["contrib", "fleet"])
def client(request: pytest.FixtureRequest, cluster: Cluster) -> Any:
    return request.param.HDFSClient(str(cluster.home), {"fs.default.name": "hdfs://host:1"})


def test_paths(cluster: Cluster, client: Any) -> None:
    assert client.pre_commands[1:] == ["fs", "-Dfs.default.name=hdfs://host:1"]
    assert [client.is_exist(path) for path in ("/data", "/none")] == [True, False]
    assert cluster.commands() == ["-test -e /data", "-test -e /none", "-test -e /none"]  # what fails is tried twice
    assert [client.is_dir(path) for path in ("/data", "/data/f1", "/none")] == [True, False, False]
    assert client.ls("/data") == ["/data/f1", "/data/f2", "/data/f3", "/data/sub"]
    assert client.ls("/data/f1") == ["/data/f1"] and client.ls("/none") == []
    assert sorted(client.lsr("/data")) == ["/data/f1", "/data/f2", "/data/f3", "/data/sub/g0"]


def test_changes(cluster: Cluster, client: Any) -> None:
    assert client.makedirs("/new/deep") is True and client.makedirs("/new/deep") is None
    assert client.rename("/data/f1", "/data/h") is True and client.rename("/none", "/other") is False
    cluster.commands()
    assert client.rename("/data/h", "/data/f2", overwrite=True) is True
    assert cluster.commands() == [
        "-test -e /data/h", "-test -e /data/f2", "-test -e /data/f2", "-test -e /data/f2", "-test -d /data/f2",
        "-test -d /data/f2", "-rm /data/f2", "-mv /data/h /data/f2",
    ]  # fmt: skip
    assert client.delete("/none") is True and client.delete("/new") is True and client.delete("/data/f3") is True
    assert cluster.files(cluster.root) == ["data/f2", "data/sub/g0"] and not (cluster.root / "new").exists()
    client.make_local_dirs(str(cluster.local / "a" / "b"))
    client.make_local_dirs(str(cluster.local / "a" / "b"))
    with pytest.raises(OSError, match=r"make_local_dirs: local_path got .*one"):
        client.make_local_dirs(str(cluster.local / "one"))


def test_single_files(cluster: Cluster) -> None:
    client = fluid.contrib.HDFSClient(str(cluster.home), None)
    one = str(cluster.local / "one")
    assert [client.upload("/up", one) for _ in range(2)] == [True, False]
    (cluster.root / "up" / "other").write_text("")
    assert client.upload("/up", one, overwrite=True) is True and cluster.files(cluster.root / "up") == ["one"]
    assert client.upload("/up", str(cluster.local / "up")) is False
    with pytest.raises(AssertionError, match=r"HDFSClient.upload: local_path got .*none"):
        client.upload("/up", str(cluster.local / "none"))
    target = cluster.local / "down"
    assert [client.download("/data/f3", str(target)) for _ in range(2)] == [True, False]
    assert (
        client.download("/data/f3", str(target), overwrite=True) is True
        and (target / "f3").read_text() == "root/data/f3"
    )
    assert client.download("/data", str(target)) is True and client.download("/none", str(target)) is False
    assert cluster.files(target) == ["data/f1", "data/f2", "data/f3", "data/sub/g0", "f3"]
    shutil.make_archive(str(cluster.root / "packed"), "zip", cluster.local / "up")
    assert client.download("/packed.zip", str(target / "zip"), unzip=True) is True
    assert cluster.files(target / "zip") == ["in/three", "packed.zip", "two"]


def test_many_files(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    client = hdfs_utils.HDFSClient(str(cluster.home), {})
    assert client.lsr("/data", only_file=False)[:2] == ["/data/sub", "/data/sub/g0"]  # by their times
    parts = [hdfs_utils.multi_download(client, "/data", str(cluster.local / "part"), i, 3) for i in range(3)]
    assert [[path.rpartition("/part/")[2] for path in part] for part in parts] == [["f1", "f2"], ["f3"], ["sub/g0"]]
    assert cluster.files(cluster.local / "part") == ["f1", "f2", "f3", "sub/g0"]
    hdfs_utils.multi_upload(client, "/mu", str(cluster.local / "up"))
    assert cluster.files(cluster.root / "mu") == ["in/three", "two"]
    (cluster.local / "up" / "two").write_text("new")
    hdfs_utils.multi_upload(client, "/mu", str(cluster.local / "up"))
    assert (cluster.root / "mu" / "two").read_text() == "local/up/two"
    hdfs_utils.multi_upload(client, "/mu", str(cluster.local / "up"), overwrite=True)
    assert (cluster.root / "mu" / "two").read_text() == "new"
    hdfs_utils.getfilelist(str(cluster.local / "up"))
    assert capsys.readouterr().out.replace(str(cluster.local), "") == "/up/in/three\n/up/two\n"
    with pytest.raises(TypeError, match=r"multi_upload: client got .* needs an HDFSClient"):
        hdfs_utils.multi_upload("client", "/mu", str(cluster.local))


def test_client_of_fleet(cluster: Cluster) -> None:
    client = hdfs.HDFSClient(str(cluster.home), {})
    assert [client.is_file(path) for path in ("/data", "/data/f1", "/none")] == [False, True, False]
    assert [client.cat(path) for path in ("/data", "/data/f1", "/none")] == ["", "root/data/f1", ""]
    assert client.lsr("/data", excludes=["/data/f2"]) == ["/data/f1", "/data/f3", "/data/sub/g0"]
    assert client.split_files(list("abcdefg"), 1, 3) == ["d", "e"]
    assert client.upload("/up", str(cluster.local / "up")) is None and client.upload("/up", "/no such folder") is None
    assert cluster.files(cluster.root / "up") == ["three", "two"]
    found = client.download("/data", str(cluster.local / "down"))
    assert [path.rpartition("/down/")[2] for path in found] == ["f1", "f2", "f3", "sub/g0"]
    assert client.upload_dir("/dest", str(cluster.local / "up")) is True
    cluster.commands()
    assert client.upload_dir("/dest", str(cluster.local / "up")) is False
    assert [line.split()[0] for line in cluster.commands()] == ["-test", *["-put"] * 6]
    assert client.upload_dir("/dest", str(cluster.local / "up"), overwrite=True) is True


def test_errors() -> None:
    client = hdfs.HDFSClient("/no such folder", {})
    with pytest.raises(
        FileNotFoundError, match=r"hadoop_home/bin/hadoop got /no such folder/bin/hadoop, needs the command"
    ):
        client.is_exist("/data")
    with pytest.raises(TypeError, match=r"HDFSClient: configs got .*, needs a dict"):
        hdfs_utils.HDFSClient("/", "hdfs://host")


class TwoTrainers:
    """Stands for a job's fleet."""

    @staticmethod
    def worker_num() -> int:
        return 2

    @staticmethod
    def worker_index() -> int:
        return 1


def test_a_barrier_of_files(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """A trainer waits until the file of the other one is there, too."""
    from paddle_lite.fluid.incubate.fleet.utils.fleet_barrier_util import check_all_trainers_ready

    monkeypatch.setattr(barrier, "fleet", TwoTrainers)
    monkeypatch.setattr(barrier.time, "sleep", lambda _: (cluster.root / "ready" / "ready.3.0.done").write_text(""))
    with pytest.raises(ArgumentValueError, match="HADOOP_HOME, FS_NAME, FS_UGI in the environment"):
        check_all_trainers_ready("/ready", 3)
    for name, value in {
        "HADOOP_HOME": str(cluster.home),
        "FS_NAME": "hdfs://host:1",
        "FS_UGI": "user,password",
    }.items():
        monkeypatch.setenv(name, value)
    check_all_trainers_ready("/ready", 3)
    assert cluster.files(cluster.root / "ready") == ["ready.3.0.done", "ready.3.1.done"]
    assert capsys.readouterr().out.splitlines() == ["1 of 2 trainers are ready", "all 2 trainers are ready"]
