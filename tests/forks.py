"""A plugin of pytest: tests run in processes that are forked when all are collected (`--forks 2`), one file after another.

What is imported for the tests is imported once, and a process begins within a hundredth of a second. A test that ends its process fails,
and another process goes on behind it.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

Files = list[list[int]]  # of each file the places of its tests in session.items


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --forks."""
    parser.addoption("--forks", type=int, default=0, metavar="N", help="run the files of tests in N forked processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Take the place of pytest's own loop, which also says what is wrong where not all tests were collected."""
    count = session.config.getoption("forks")
    if not count or session.config.option.collectonly or session.testsfailed or not hasattr(os, "fork"):
        return None  # on Windows all tests run in this process
    if hasattr(session.config, "_tmp_path_factory"):
        session.config._tmp_path_factory.getbasetemp()  # one folder for all
    places = range(len(session.items))
    files = [list(found) for _, found in groupby(places, key=lambda place: session.items[place].path)]
    _Forks(session, files).run(min(count, len(files)))
    return True


class _Forks:
    """The processes, as the one that has forked them sees them."""

    def __init__(self, session: pytest.Session, files: Files) -> None:
        self.session, self.waiting = session, files
        self.running: dict[Connection, tuple[int, list[int]]] = {}
        """Connection -> the process, and its tests that have not ended."""

    def run(self, count: int) -> None:
        """Run all tests in so many processes."""
        try:
            for _ in range(count):
                self.start()
            while self.running:
                for connection in wait(list(self.running), timeout=1) or self.ended():
                    self.receive(connection)
        finally:
            for connection, (process, _) in self.running.items():
                connection.close()
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)

    def start(self) -> None:
        """Fork a process."""
        here, there = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if not process:
            for each in (*self.running, here):
                each.close()
            _work(self.session, there)
        there.close()
        self.running[here] = process, []

    def ended(self) -> list[Connection]:
        """Those whose process has ended, though one that it has started holds the connection."""
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return [each for each, (process, _) in self.running.items() if os.waitid(os.P_PID, process, how)]

    def receive(self, connection: Connection) -> None:
        """Take a message: the wish for a file, the end of a test, a warning, or the end of the process."""
        tests = self.running[connection][1]
        try:
            kind, *found = connection.recv() if connection.poll() else ("end",)
        except (EOFError, ConnectionResetError):
            kind, found = "end", []
        if kind == "next":
            taken = self.waiting.pop(0) if self.waiting else []
            connection.send(taken)
            tests += taken
        elif kind == "tested":
            tests.remove(found[0])
            self.report(*found)
        elif kind == "warning":
            self.session.config.hook.pytest_warning_recorded.call_historic(kwargs=found[0])
        else:
            self.end(connection)

    def report(self, place: int, seconds: float | None, reports: Sequence[dict[str, Any]]) -> None:
        """Hand the reports of a test to pytest. Of most tests a process sends only how many seconds passed until they had passed."""
        item, config = self.session.items[place], self.session.config
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        if seconds is not None:
            passed = pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "call", duration=seconds)
            item.ihook.pytest_runtest_logreport(report=passed)
        for data in reports:
            item.ihook.pytest_runtest_logreport(
                report=config.hook.pytest_report_from_serializable(config=config, data=data)
            )
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if self.session.shouldfail:
            raise self.session.Failed(self.session.shouldfail)
        if self.session.shouldstop:
            raise self.session.Interrupted(self.session.shouldstop)

    def end(self, connection: Connection) -> None:
        """Note that a process has ended: behind its last test, or in one, which has failed. The tests behind that go to another process."""
        process, tests = self.running.pop(connection)
        connection.close()
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if not tests:
            return
        item = self.session.items[tests[0]]
        how = f"by signal {-status}" if status < 0 else f"with exit status {status}"
        text = f"the process of this test ended {how}"
        failed = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        if tests[1:]:
            self.waiting.insert(0, tests[1:])
        self.start()
        hook = self.session.config.hook
        self.report(tests[0], None, [hook.pytest_report_to_serializable(config=self.session.config, report=failed)])


def _work(session: pytest.Session, connection: Connection) -> None:
    """Run the tests of one file after another; in a process of its own, which ends here."""
    status = 1
    try:
        plugins = session.config.pluginmanager
        capturing, terminal = plugins.getplugin("capturemanager"), plugins.getplugin("terminalreporter")
        capturing.stop_global_capturing()  # both processes would write into the same file
        capturing.start_global_capturing()
        capturing.suspend_global_capture()
        terminal._tw._file = open(os.devnull, "w")  # noqa: SIM115
        telling = _Telling(session, connection)
        plugins.register(telling)
        places = _places(connection)
        place = next(places, None)
        while place is not None:
            following = next(places, None)
            telling.run(place, following)
            place = following
        status = 0
    except KeyboardInterrupt:
        pass
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def _places(connection: Connection) -> Iterator[int]:
    """The places of the tests to run. The next file is asked for when the last test of one begins, which must know what follows it."""
    while True:
        connection.send(("next",))
        if not (found := connection.recv()):
            return
        yield from found


class _Telling:
    """What runs tests and tells of them, and of warnings, which are no errors."""

    def __init__(self, session: pytest.Session, connection: Connection) -> None:
        self.session, self.connection = session, connection
        self.seconds: float | None = None
        self.reports: list[dict[str, Any]] = []

    def run(self, place: int, following: int | None) -> None:
        """Run the test in one place, behind which another follows, and send what is to report of it."""
        items, hook = self.session.items, self.session.config.hook
        self.seconds, self.reports = None, []
        hook.pytest_runtest_protocol(item=items[place], nextitem=None if following is None else items[following])
        self.connection.send(("tested", place, self.seconds, self.reports))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Take the place of pytest's own, which tells of each test that it begins, is set up, runs, is taken down and ends."""
        config = item.config
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if self.reports:  # of parts that have failed
                config.hook.pytest_report_teststatus(report=report, config=config)
            self.tell(report)
        return True

    def tell(self, report: pytest.TestReport) -> None:
        """Note what is to report."""
        if type(report) is not pytest.TestReport or not report.passed or report.sections:
            self.reports.append(
                self.session.config.hook.pytest_report_to_serializable(config=self.session.config, report=report)
            )
        elif report.when == "call":
            self.seconds = report.duration

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a part of a test, which pytest reports while the test runs."""
        self.tell(report)

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: Any
    ) -> None:
        """Hand a warning on; one that is an error is a report."""
        message = warning_message.message
        try:
            pickle.loads(pickle.dumps(message))
        except Exception:
            message = UserWarning(f"{type(message).__name__}: {message}")
        found = warnings.WarningMessage(message, type(message), warning_message.filename, warning_message.lineno)
        self.connection.send(
            ("warning", {"warning_message": found, "when": when, "nodeid": nodeid, "location": location})
        )
