"""Seeds, sparse rows, index checks, cache directory."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core import seeds
from paddle_lite.core.errors import ArgumentTypeError, DtypeError, IndexRangeError
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.core.ranges import require_range
from paddle_lite.core.selected_rows import SelectedRows, sum_of_sparse


def test_importing_the_package_imports_neither_numba_nor_cupy_nor_numpy_kernels(pytestconfig):
    code = "import sys, paddle_lite; print([m for m in ('numba', 'cupy', 'numpy') if m in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": str(pytestconfig.rootpath)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_seeds_are_unset_inside_a_scope_and_come_back():
    with seeds.own_seeds(5, 6):
        around = seeds.current()
        with pytest.raises(ZeroDivisionError), seeds.reset_seeds():
            assert (seeds.current().main, seeds.current().startup) == (0, 0)
            seeds.current().main = 7
            raise ZeroDivisionError
        assert seeds.current() is around and (around.main, around.startup) == (5, 6)


@st.composite
def sparse(draw):
    height = draw(st.integers(1, 5))
    rows = draw(hnp.arrays("int64", st.integers(0, 6), elements=st.integers(0, height - 1)))
    values = draw(hnp.arrays("float64", (len(rows), 2), elements=st.integers(-9, 9)))
    return SelectedRows(rows, values, height)


@given(sparse(), st.data())
def test_sparse_rows_stand_for_their_dense_array(a, data):
    dense = np.zeros((a.height, 2))
    for row, value in zip(a.rows, a.values, strict=True):
        dense[row] += value
    assert a.shape == (a.height, 2) and a.dtype == np.float64
    assert (a.to_dense(np) == dense).all()
    merged = a.merged(np)
    assert (merged.to_dense(np) == dense).all() and (np.diff(merged.rows) > 0).all()
    assert (a.scaled(3.0).to_dense(np) == 3 * dense).all()
    b = SelectedRows(a.rows[::-1], a.values * 2, a.height)
    assert (a.concat(b, np).to_dense(np) == dense + b.to_dense(np)).all()
    assert (sum_of_sparse([a, b, a], np).to_dense(np) == 2 * dense + b.to_dense(np)).all()
    assert sum_of_sparse([a], np) is a
    assert f"height={a.height}, rows={len(a.rows)}" in repr(a)


def test_sparse_rows_are_made_of_arrays():
    for rows, values, wrong in (
        ([1], np.ones((1, 2)), "rows"),
        (np.array([1]), 2**70, "values"),
        (np.array([1]), np.array(3.0), "values"),
    ):
        with pytest.raises(ArgumentTypeError, match=rf"^SelectedRows: {wrong} got"):
            SelectedRows(rows, values, 4)


def test_indices_out_of_range_name_the_worst():
    for dtype in ("int32", "int64"):
        require_range("op", "Input(Ids)", np.array([0, 4], dtype), 5)
        require_range("op", "Input(Ids)", np.zeros(0, dtype), 0)
        with pytest.raises(IndexRangeError, match=r"op: Input\(Ids\) got 9, needs indices from 0 to 4"):
            require_range("op", "Input(Ids)", np.array([0, 9, 7], dtype), 5)
        with pytest.raises(IndexRangeError, match=r"got -3, needs indices from 0 to 4"):
            require_range("op", "Input(Ids)", np.array([-3, 2, 7], dtype), 5)
    with pytest.raises(DtypeError, match="needs int64 or int32"):
        require_range("op", "Input(Ids)", np.array([0.0]), 5)


def test_the_cache_directory_is_the_users_choice(monkeypatch, tmp_path):
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path))
    assert cache_dir("kernels", "a.py") == str(tmp_path / "kernels" / "a.py")
    monkeypatch.delenv("PADDLE_LITE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_dir() == str(tmp_path / "paddle_lite")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_dir("x") == str(tmp_path / "local" / "paddle_lite" / "x")
