"""Calls enter few files on their way: a reader follows them from file to file."""

from __future__ import annotations

import pytest

from .walks import WALKS, files_entered

MOST = dict(zip(WALKS, (1, 50, 70, 50), strict=True))


@pytest.mark.parametrize("name", WALKS)
def test_a_call_enters_few_files(name: str) -> None:
    with WALKS[name]() as walk:
        walk()
        entered = files_entered(walk)
    assert 0 < len(entered) <= MOST[name], entered


def test_files_of_other_packages_do_not_count() -> None:
    assert files_entered(lambda: pytest.approx(1.0) == 1.0) == []
