"""Places: equality, what CUDAPlace needs, and how many of each there are."""

import importlib.util

import pytest

from paddle_lite.core import place
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DeviceError
from paddle_lite.core.place import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    cpu_places,
    cuda_pinned_places,
    cuda_places,
    is_compiled_with_cuda,
    resolve,
)


@pytest.fixture
def without_cupy(monkeypatch):
    monkeypatch.delenv("PADDLE_LITE_CUDA_AS_CPU", raising=False)
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "cupy" else find(name, *rest))


def test_places_are_equal_when_they_name_one_device():
    assert CPUPlace() == CPUPlace() and CUDAPlace(1) == CUDAPlace(1) and CUDAPlace(0) == CUDAPlace()
    assert CUDAPlace(0) != CUDAPlace(1) and CPUPlace() != CUDAPlace(0) and CPUPlace() != CUDAPinnedPlace()
    assert CPUPlace() != "CPUPlace"
    assert len({CPUPlace(), CPUPlace(), CUDAPlace(0), CUDAPlace(0), CUDAPlace(1)}) == 3


def test_repr():
    assert [repr(p) for p in (CPUPlace(), CUDAPlace(2), CUDAPinnedPlace())] == [
        "CPUPlace",
        "CUDAPlace(2)",
        "CUDAPinnedPlace",
    ]


@pytest.mark.parametrize("index", [-1, "0", 1.0, True, None])
def test_a_device_number_is_a_whole_number(index):
    with pytest.raises(ArgumentTypeError, match=r"CUDAPlace: id got .*, needs a device number"):
        CUDAPlace(index)


def test_none_is_the_cpu_and_pinned_memory_belongs_to_it():
    assert resolve(None) == CPUPlace() and resolve(CPUPlace()) == CPUPlace()
    assert resolve(CUDAPinnedPlace()).kind == "cpu"


@pytest.mark.parametrize("wrong", ["cpu", 0, CPUPlace])
def test_what_is_no_place_is_refused(wrong):
    with pytest.raises(ArgumentTypeError, match=r"guard: place got .*, needs CPUPlace\(\), CUDAPlace"):
        resolve(wrong, "guard")


def test_cuda_without_cupy_names_what_to_install_and_the_other_ways(without_cupy):
    assert not is_compiled_with_cuda()
    with pytest.raises(DeviceError) as caught:
        resolve(CUDAPlace(0), "guard")
    for part in ("CUDAPlace(0)", "paddle_lite[cuda12]", "cuda13", "CPUPlace()", "PADDLE_LITE_CUDA_AS_CPU=1", "--cpu"):
        assert part in str(caught.value)


def test_cuda_can_mean_the_cpu(without_cupy, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CUDA_AS_CPU", "1")
    assert resolve(CUDAPlace(3)) == CPUPlace() and is_compiled_with_cuda()
    monkeypatch.setenv("PADDLE_LITE_CUDA_AS_CPU", "0")
    assert not is_compiled_with_cuda()


def test_another_array_module_can_stand_for_cupy(without_cupy, monkeypatch):
    monkeypatch.setattr(place.StandIn, "count", 1)
    assert resolve(CUDAPlace(0)) == CUDAPlace(0) and is_compiled_with_cuda()


@pytest.fixture
def cupy_and_driver(monkeypatch, without_cupy):
    """CuPy is installed; the returned function sets what the driver says."""
    monkeypatch.setattr(place, "cupy_available", lambda: True)
    return lambda count: monkeypatch.setattr(place, "_devices_of_driver", lambda: count)


def test_cuda_is_usable_where_cupy_and_a_device_are(cupy_and_driver):
    cupy_and_driver(0)
    assert not is_compiled_with_cuda() and place.gpu_count() == 0
    chosen = CUDAPlace(0) if is_compiled_with_cuda() else CPUPlace()  # as programs of 1.8.5 choose
    assert resolve(chosen) == CPUPlace()
    with pytest.raises(
        DeviceError, match=r"CUDAPlace\(0\), needs a GPU, and the NVIDIA driver finds none\. `nvidia-smi`"
    ):
        resolve(CUDAPlace(0))
    cupy_and_driver(2)
    assert (
        is_compiled_with_cuda()
        and resolve(CUDAPlace(1)) == CUDAPlace(1)
        and cuda_places() == [CUDAPlace(0), CUDAPlace(1)]
    )
    with pytest.raises(DeviceError, match=r"CUDAPlace\(2\), needs CUDAPlace\(0\) to CUDAPlace\(1\)"):
        resolve(CUDAPlace(2))


def test_a_machine_without_a_driver_has_no_devices(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(place.ctypes, "CDLL", missing)
    assert place._devices_of_driver.__wrapped__() == 0


@pytest.mark.parametrize(("failed", "found"), [(0, 3), (100, 0)])
def test_the_driver_counts_the_devices(monkeypatch, failed, found):
    class Driver:
        def cuInit(self, flags):
            return failed

        def cuDeviceGetCount(self, where):
            where._obj.value = 3
            return 0

    monkeypatch.setattr(place.ctypes, "CDLL", lambda name: Driver())
    assert place._devices_of_driver.__wrapped__() == found


def test_the_cpu_can_mean_cuda(cupy_and_driver, monkeypatch):
    cupy_and_driver(2)
    monkeypatch.setenv("PADDLE_LITE_CPU_AS_CUDA", "1")
    assert resolve(CPUPlace()) == resolve(None) == CUDAPlace(0)
    monkeypatch.setenv("FLAGS_selected_gpus", "1")
    assert resolve(CPUPlace()) == CUDAPlace(1) and resolve(CUDAPinnedPlace()).kind == "cpu"


def test_how_many_places(monkeypatch):
    monkeypatch.delenv("CPU_NUM", raising=False)
    monkeypatch.delenv("FLAGS_selected_gpus", raising=False)
    assert cpu_places() == [CPUPlace()] and cpu_places(3) == [CPUPlace()] * 3
    assert cuda_places() == [CUDAPlace(0)] and cuda_places([2, 1]) == [CUDAPlace(2), CUDAPlace(1)]
    assert cuda_pinned_places(2) == [CUDAPinnedPlace()] * 2
    monkeypatch.setenv("CPU_NUM", "4")
    monkeypatch.setenv("FLAGS_selected_gpus", "0, 3")
    assert len(cpu_places()) == len(cuda_pinned_places()) == 4
    assert cuda_places() == [CUDAPlace(0), CUDAPlace(3)]


@pytest.mark.parametrize(("variable", "call"), [("CPU_NUM", cpu_places), ("FLAGS_selected_gpus", cuda_places)])
def test_environment_variables_that_are_no_numbers_are_named(monkeypatch, variable, call):
    monkeypatch.setenv(variable, "many")
    with pytest.raises(ArgumentValueError, match=f"environment: {variable} got 'many'"):
        call()


def test_places_are_compared_by_kind_and_by_device() -> None:
    assert CPUPlace()._type() == 1  # the number that 1.8.5 gives
    assert len({CPUPlace()._type(), CUDAPlace(0)._type(), CUDAPinnedPlace()._type()}) == 3
    assert CUDAPlace(0)._type() == CUDAPlace(1)._type() and not CUDAPlace(0)._equals(CUDAPlace(1))
    assert CPUPlace()._equals(CPUPlace()) and not CPUPlace()._equals(CUDAPinnedPlace())
