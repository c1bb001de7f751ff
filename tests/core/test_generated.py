"""Functions from generated source keep their source for tracebacks as long as they exist."""

from __future__ import annotations

import gc
import linecache

from paddle_lite.core.generated import define, text_of


def test_the_source_goes_with_the_last_function_that_has_it() -> None:
    source = "def twice(x):\n    return 2 * x\n"
    first = define("a test of generated functions", "twice", source, {})
    second = define("a test of generated functions", "twice", source, {})
    filename = first.__code__.co_filename
    del second
    gc.collect()
    assert first(3) == 6 and linecache.getline(filename, 2) == "    return 2 * x\n"
    del first
    gc.collect()
    assert filename not in linecache.cache


def test_the_source_outlasts_a_cleared_cache_of_lines():
    function = define("kept", "kept", "def kept():\n    return 5\n", {})
    linecache.clearcache()
    assert function() == 5 and text_of(function.__code__.co_filename) == "def kept():\n    return 5\n"
    assert text_of("no such file") == "" and "def test_the_source" in text_of(__file__)
