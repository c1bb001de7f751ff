"""FLAGS_*: reading, setting, the environment, and errors."""

import subprocess
import sys

import pytest

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.core.flags import get_flags, set_flags

NAN, EAGER = "FLAGS_check_nan_inf", "FLAGS_eager_delete_tensor_gb"


@pytest.fixture(autouse=True)
def restored():
    before = get_flags([NAN, EAGER])
    yield
    set_flags(before)


def test_set_and_get_one_or_several():
    set_flags({NAN: True, EAGER: 1})
    assert get_flags(NAN) == {NAN: True}
    assert get_flags([NAN, EAGER]) == {NAN: True, EAGER: 1.0} == get_flags((NAN, EAGER))
    assert type(get_flags(EAGER)[EAGER]) is float


@pytest.mark.parametrize(("text", "value"), [("1", True), ("true", True), ("0", False), ("False", False), ("", False)])
def test_texts_are_read_as_in_the_environment(text, value):
    set_flags({NAN: text})
    assert get_flags(NAN)[NAN] is value


def test_unknown_flags_are_refused_with_the_list():
    for call in (lambda: set_flags({"FLAGS_nonsense": 1}), lambda: get_flags("FLAGS_nonsense")):
        with pytest.raises(ArgumentValueError, match=r"'FLAGS_nonsense', needs one of .*FLAGS_check_nan_inf"):
            call()


FLUID = [
    "allocator_strategy",
    "benchmark",
    "check_nan_inf",
    "cpu_deterministic",
    "eager_delete_tensor_gb",
    "enable_parallel_graph",
    "enable_rpc_profiler",
    "fraction_of_cpu_memory_to_use",
    "fuse_parameter_groups_size",
    "fuse_parameter_memory_size",
    "init_allocated_mem",
    "initial_cpu_memory_in_mb",
    "inner_op_parallelism",
    "memory_fraction_of_eager_deletion",
    "multiple_of_cupti_buffer_size",
    "paddle_num_threads",
    "pe_profile_fname",
    "print_sub_graph_dir",
    "reader_queue_speed_test_mode",
    "tracer_profile_fname",
    "use_pinned_memory",
    "use_system_allocator",
]


@pytest.mark.parametrize("name", FLUID)
def test_every_flag_of_fluid_is_kept(name):
    before = get_flags(f"FLAGS_{name}")
    set_flags(before)
    assert get_flags([f"FLAGS_{name}"]) == before


def test_a_misspelt_flag_names_the_one_that_is_meant():
    with pytest.raises(ValueError, match="Did you mean 'FLAGS_check_nan_inf'"):
        set_flags({"FLAGS_check_nan_in": True})


@pytest.mark.parametrize("value", [3, None, [NAN]])
def test_what_is_no_dict_is_not_set(value):
    with pytest.raises(TypeError, match="set_flags: flags got"):
        set_flags(value)


@pytest.mark.parametrize("value", [3, None, {NAN: 1}])
def test_what_is_no_name_is_not_read(value):
    with pytest.raises(TypeError, match="get_flags: flags got"):
        get_flags(value)


@pytest.mark.parametrize("value", ["many", None, [1]])
def test_a_value_that_does_not_fit_names_the_flag(value):
    with pytest.raises(ArgumentValueError, match=r"set_flags: FLAGS_eager_delete_tensor_gb got .*, needs a float"):
        set_flags({EAGER: value})


@pytest.mark.parametrize("value", ["perhaps", None, [0], {}, 0.5])
def test_a_bool_is_a_bool_or_0_or_1_or_a_word_for_them(value):
    with pytest.raises(ArgumentValueError, match=r"set_flags: FLAGS_check_nan_inf got .*, needs a bool"):
        set_flags({NAN: value})
    set_flags({NAN: 1})
    assert get_flags(NAN) == {NAN: True}


def in_a_new_process(code, **environment):
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)


def test_the_environment_sets_flags_at_import(pytestconfig):
    code = "from paddle_lite.core.flags import get_flags; print(get_flags(['FLAGS_check_nan_inf']))"
    root = {"PYTHONPATH": str(pytestconfig.rootpath)}
    done = in_a_new_process(code, **root, FLAGS_check_nan_inf="1")
    assert done.stdout.strip() == "{'FLAGS_check_nan_inf': True}", done.stderr
    wrong = in_a_new_process(code, **root, FLAGS_paddle_num_threads="x")
    assert "environment: FLAGS_paddle_num_threads got 'x', needs an int" in wrong.stderr
