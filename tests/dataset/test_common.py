"""Where files are found, and how they are downloaded. The "network" is `file:` addresses and a server on this machine."""

import hashlib
import http.server
import itertools
import os
import pickle
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError
from paddle_lite.dataset import common

CONTENT = b"to be or not to be\n" * 10_000
MD5 = hashlib.md5(CONTENT).hexdigest()


@pytest.fixture
def url(tmp_path):
    published = tmp_path / "published" / "words.txt"
    published.parent.mkdir()
    published.write_bytes(CONTENT)
    return published.as_uri()


def put(folder, content=CONTENT):
    folder.mkdir(parents=True)
    path = folder / "words.txt"
    path.write_bytes(content)
    return str(path)


@given(st.binary())
def test_md5file(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("md5") / "file"
    path.write_bytes(content)
    assert common.md5file(path) == hashlib.md5(content).hexdigest()


def test_a_missing_file_is_downloaded_into_the_cache_once(url, cache):
    path = common.download(url, "speech", MD5)
    assert path == str(cache / "speech" / "words.txt")
    assert common.md5file(path) == MD5
    assert os.listdir(cache / "speech") == ["words.txt"]
    assert common.download("file:///nowhere/words.txt", "speech", MD5) == path


def test_the_name_can_be_chosen(url, cache):
    assert common.download(url, "speech", None, "hamlet.txt") == str(cache / "speech" / "hamlet.txt")


def test_the_environment_comes_before_the_cache(url, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DATA_HOME", str(tmp_path / "home"))
    cached = put(cache / "speech")
    assert common.download(url, "speech", MD5) == cached
    own = put(tmp_path / "home" / "speech")
    assert common.download(url, "speech", MD5) == own


def test_a_download_never_goes_to_the_home_of_the_environment(url, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_DATA_HOME", str(tmp_path / "home"))
    assert common.download(url, "speech", MD5) == str(cache / "speech" / "words.txt")
    assert not (tmp_path / "home").exists()


def test_another_file_in_the_cache_is_used_with_a_warning(url, cache):
    path = put(cache / "speech", b"something else")
    with pytest.warns(UserWarning, match=f"words.txt has MD5 [0-9a-f]+, the published file has {MD5}"):
        assert common.download(url, "speech", MD5) == path
    assert common.download(url, "speech", None) == path


def test_a_download_with_another_checksum_is_refused_and_leaves_nothing(url, cache):
    with pytest.raises(common.DownloadError, match=f"what came has MD5 {MD5}, expected {'0' * 32}"):
        common.download(url, "speech", "0" * 32)
    assert os.listdir(cache / "speech") == []


def test_a_failed_download_says_where_to_put_the_file(cache):
    with pytest.raises(common.DownloadError) as caught:
        common.download("file:///nowhere/words.txt", "speech", MD5)
    assert isinstance(caught.value, OSError)
    for part in ("speech/words.txt", "file:///nowhere/words.txt", str(cache / "speech"), "PADDLE_LITE_DATA_HOME"):
        assert part in str(caught.value)


def test_a_cache_that_cannot_be_made_is_told(url, cache):
    cache.write_text("a file where the folder should be")
    with pytest.raises(common.DownloadError, match="could not be downloaded"):
        common.download(url, "speech", MD5)


@pytest.fixture
def flaky_server():
    """Serves CONTENT, but breaks off in the middle as many times as it is told to."""

    class Handler(http.server.BaseHTTPRequestHandler):
        failures = 0
        requests = 0

        def do_GET(self):
            Handler.requests += 1
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(CONTENT if Handler.requests > Handler.failures else CONTENT[:1000])

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/words.txt", Handler
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("md5sum", [MD5, None])
def test_a_broken_connection_is_tried_again(flaky_server, md5sum, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    url, handler = flaky_server
    handler.failures = 2
    assert common.md5file(common.download(url, "speech", md5sum)) == MD5
    assert handler.requests == 3


def test_a_connection_that_stays_broken_is_told(flaky_server, cache, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    url, handler = flaky_server
    handler.failures = 100
    with pytest.raises(common.DownloadError, match=f"ended after 1000 of {len(CONTENT)} bytes"):
        common.download(url, "speech", None)
    assert handler.requests == 3
    assert os.listdir(cache / "speech") == []


def test_progress_is_a_line_of_text_where_nobody_watches(url, capsys):
    common.download(url, "speech", MD5)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("words.txt: 100% ") and "\r" not in err and err.count("\n") == 1


@given(st.integers(0, 12), st.integers(1, 5), st.integers(1, 4))
def test_split_and_cluster_files_reader_share_out_all_samples(tmp_path_factory, length, line_count, trainers):
    folder = tmp_path_factory.mktemp("shards")
    common.split(lambda: range(length), line_count, suffix=str(folder / "part-%05d.pickle"))
    files = sorted(os.listdir(folder))
    assert files == [f"part-{n:05d}.pickle" for n in range(-(-length // line_count))]
    shares = [list(common.cluster_files_reader(str(folder / "*.pickle"), trainers, k)()) for k in range(trainers)]
    assert sorted(itertools.chain.from_iterable(shares)) == list(range(length))
    for trainer, share in enumerate(shares):
        expected = []
        for name in files[trainer::trainers]:
            expected += pickle.loads((folder / name).read_bytes())
        assert share == expected


class Harmful:
    def __reduce__(self):
        return os.mkdir, ("harm",)


def test_files_of_a_data_set_run_nothing_unless_a_loader_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0.pickle").write_bytes(pickle.dumps([Harmful()]))
    with pytest.raises(FileFormatError, match=r"asks for (posix|nt)\.mkdir"):
        list(common.cluster_files_reader("*.pickle", 1, 0)())
    assert not (tmp_path / "harm").exists()
    list(common.cluster_files_reader("*.pickle", 1, 0, loader=pickle.load)())
    assert (tmp_path / "harm").exists()


def test_split_and_cluster_files_reader_refuse_nonsense(tmp_path):
    with pytest.raises(ArgumentValueError, match="line_count got"):
        common.split(lambda: [1], 0, suffix=str(tmp_path / "%d"))
    with pytest.raises(ArgumentValueError, match="a %d for the number"):
        common.split(lambda: [1], 1, suffix=str(tmp_path / "part"))
    with pytest.raises(ArgumentTypeError, match="Pass the reader itself"):
        common.split(iter([1]), 1)
    with pytest.raises(ArgumentValueError, match=r"trainer_id got int 2, needs 0 \.\. 1"):
        common.cluster_files_reader("*", 2, 2)
