"""Functions from generated source keep their source for tracebacks as long as they exist."""

from __future__ import annotations

import gc
import linecache

from paddle_lite.core.generated import define


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
