"""Unique names: counters by key, scopes, prefixes, and names that parameters took."""

import copy

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.core.unique_name import generate, guard, switch, take


@pytest.fixture(autouse=True)
def scope():
    with guard():
        yield


def test_each_key_counts_for_itself():
    assert [generate("fc"), generate("fc"), generate("conv"), generate("fc")] == ["fc_0", "fc_1", "conv_0", "fc_2"]


def test_a_guard_starts_again_and_the_outer_counters_go_on():
    generate("fc")
    with guard():
        assert generate("fc") == "fc_0"
    assert generate("fc") == "fc_1"


def test_a_guard_is_left_after_an_error():
    with pytest.raises(ZeroDivisionError), guard():
        generate("fc")
        raise ZeroDivisionError
    assert generate("fc") == "fc_0"


@pytest.mark.parametrize("prefix", ["A", b"A"])
def test_a_prefix(prefix):
    with guard(prefix):
        assert generate("fc") == "Afc_0"


def test_switch_gives_back_the_generator_in_use():
    generate("fc")
    generator, checker = switch()
    assert generate("fc") == "fc_0"
    new = switch(generator, checker)
    assert generate("fc") == "fc_1" and generator.checker is checker
    with guard(new.generator):
        assert generate("fc") == "fc_1"
    assert isinstance(generator, unique_name.Generator)


def test_switch_takes_back_what_it_gave_as_programs_for_1_7_do():
    generate("fc")
    old = switch()
    generate("fc")
    switch(old)
    assert generate("fc") == "fc_1"


def test_a_name_can_be_taken_once_in_a_scope():
    assert take("w") and not take("w")
    with guard():
        assert take("w")
    assert not take("w")


def test_a_copy_of_the_generator_in_use_counts_on_by_itself():
    generate("fc")
    copied = copy.deepcopy(fluid.unique_name.generator)
    with guard(copied):
        assert generate("fc") == "fc_1" and fluid.unique_name.generator is copied
    assert generate("fc") == "fc_1" and copied.ids == {"fc": 2}


def test_a_function_makes_the_names():
    with guard(lambda key: f"my_{key}"):
        assert generate("fc") == "my_fc"
    old = switch(str.upper)
    assert generate("fc") == "FC"
    switch(old)
    with pytest.raises(
        ArgumentTypeError, match="new_generator got int 3, needs a UniqueNameGenerator, another function"
    ):
        switch(3)
