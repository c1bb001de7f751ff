"""What programs of 2018-2020 take from Python, NumPy, Pillow, PyYAML and protobuf, under `run`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .sandbox import Sandbox

PYTHON = """
import base64, collections, fractions, inspect, time, warnings
warnings.simplefilter('ignore', DeprecationWarning)  # Python 3.10 has getargspec, and warns
from collections import Mapping, Sequence
assert isinstance([], collections.Iterable) and issubclass(dict, Mapping) and isinstance('', Sequence)
assert time.clock() >= 0 and fractions.gcd(6, -4) == -2 and fractions.gcd(-6, 4) == 2
spec = inspect.getargspec(lambda a, b=1, *c, **d: 0)
assert spec == (['a', 'b'], 'c', 'd', (1,)) and spec.keywords == 'd'
assert base64.decodestring(base64.encodestring(b'text')) == b'text'
assert inspect.formatargspec(['a', 'b'], 'c', 'd', (1,)) == '(a, b=1, *c, **d)' and inspect.formatargspec([]) == '()'
import cgi, platform
assert cgi.escape('<"&>') == '&lt;"&amp;&gt;' and cgi.escape('"', quote=True) == '&quot;' and cgi.escape("'", True) == "'"
assert len(platform.linux_distribution()) == 3 == len(platform.dist()) and all(isinstance(each, str) for each in platform.dist())
assert not hasattr(collections, 'Nothing') and not hasattr(time, 'nothing')
print('done')
"""
RAGGED = """
import numpy as np
a = np.array([[1, 2], [3]])
print(a.dtype, a.shape, a[1], np.asarray([[1], [2, 3]]).shape)
for call in (lambda: np.array([[1, 2], [3]], dtype='float32'), lambda: np.array([[1, 2], [3]], 'int64')):
    try:
        call()
    except ValueError:
        print('an error')
assert np.array([[1, 2], [3, 4]]).dtype == np.arange(2).dtype and np.array([1], ndmin=2).shape == (1, 1)
"""

NO_COPY = """
import numpy as np
a = np.ones(3)
print(np.array(a, copy=False) is a, np.array([1, 2], copy=False).tolist(), np.array(a, 'float32', copy=False).dtype)
print(np.array([[1, 2], [3]], copy=False).shape, np.asarray([1]).tolist())
try:
    np.array(['a'], 'float32', copy=False)
except ValueError as error:
    print(error)
"""
NO_COPY_SAYS = """\
True [1, 2] float32
(2,) [1]
could not convert string to float: 'a'
"""

OF_RAGGED = """
import numpy as np
lists = [[3, 1], [2], []]
print(np.copy(lists), np.shape(lists), np.size(lists), np.ndim(lists), np.ravel(lists).tolist())
print(np.sort(lists).tolist(), np.argsort(lists), [len(part) for part in np.array_split(lists, 2)])
print(np.tile(lists, 2).tolist(), np.reshape(lists, (3, 1)).shape, np.append(lists, [[7, 8]]).tolist())
np.save('lists', lists)
print(np.load('lists.npy', allow_pickle=True).tolist())
assert np.copy([[1, 2], [3, 4]]).dtype == np.arange(2).dtype and np.reshape([1, 2], (2, 1)).shape == (2, 1)
try:
    np.reshape([1, 2], (3, 1))
except ValueError as error:
    print(error)
"""
OF_RAGGED_SAYS = """\
[list([3, 1]) list([2]) list([])] (3,) 3 1 [[3, 1], [2], []]
[[], [2], [3, 1]] [2 1 0] [2, 1]
[[3, 1], [2], [], [3, 1], [2], []] (3, 1) [[3, 1], [2], [], 7, 8]
[[3, 1], [2], []]
cannot reshape array of size 2 into shape (3,1)
"""

DROPPED_IN_2 = """
import numpy as np
x = np.array([[3, 1], [2, 4]], 'int16')
print(x.dtype in np.sctypes['int'], x.dtype in np.sctypes['float'], sorted(np.sctypes), len(np.sctypes['uint']))
print(np.asfarray(x).dtype, np.asfarray(x, 'float32').dtype, np.asfarray(x, 'int8').dtype, np.cast['float32'](x).dtype)
print(np.msort(x).tolist(), np.sctype2char(np.float32), np.obj2sctype('f8').__name__)
print(np.cfloat(1), np.singlecomplex(1).nbytes, np.longfloat is np.longdouble, np.NZERO, np.PZERO, np.typeDict['int8'].__name__)
"""
DROPPED_IN_2_SAYS = """\
True False ['complex', 'float', 'int', 'others', 'uint'] 4
float64 float32 float64 float32
[[2, 1], [3, 4]] f float64
(1+0j) 8 True -0.0 0.0 int8
"""


def test_names_that_numpy_2_has_dropped(sandbox: Sandbox) -> None:
    done = sandbox.run("-c", DROPPED_IN_2)
    assert done.stdout == DROPPED_IN_2_SAYS, done.stderr  # what NumPy 1.21 prints


def test_names_that_python_has_dropped(sandbox: Sandbox) -> None:
    done = sandbox.run("-c", PYTHON)
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_python_has_dropped_them() -> None:
    """Otherwise the test above would prove nothing."""
    assert "ImportError" in subprocess.run([sys.executable, "-c", PYTHON], capture_output=True, text=True).stderr


def test_a_function_with_more_than_four_kinds_of_arguments(sandbox: Sandbox) -> None:
    code = "import inspect\ntry: inspect.getargspec(lambda *, a: 0)\nexcept ValueError as error: print(error)"
    assert "use inspect." in sandbox.out(code)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has its own getargspec, which refuses annotations")
def test_arguments_of_the_functions_of_fluid(sandbox: Sandbox) -> None:
    """Ours have annotations, which those of 1.8.5 have not; makers of optimizers from texts look for their arguments."""
    code = "import inspect\ndef f(a: int): 0\nf.__module__ = 'paddle_lite.layers'\nprint(inspect.getargspec(f).args)"
    assert "['a']" in sandbox.out(code)


def test_pythons_own_code_does_not_see_them(sandbox: Sandbox) -> None:
    """Code of the standard library, here played by `code.InteractiveInterpreter` with a file name of its own."""
    code = """
import collections, os
source = compile("import collections; found = hasattr(collections, 'Iterable')", os.path.join(os.path.dirname(os.__file__), 'x.py'), 'exec')
names = {}
exec(source, names)
print(names['found'], hasattr(collections, 'Iterable'))
"""
    assert sandbox.out(code) == "False True"


def test_nothing_is_imported_for_it(sandbox: Sandbox) -> None:
    code = "import sys; print([name for name in ('inspect', 'fractions', 'base64', 'yaml') if name in sys.modules])"
    assert sandbox.out(code) == "[]"


def test_arrays_of_lists_of_different_lengths(sandbox: Sandbox) -> None:
    done = sandbox.run("-c", RAGGED)
    assert done.stdout.splitlines() == ["object (2,) [3] (2,)", "an error", "an error"], done.stderr
    assert done.stderr.count("write dtype=object if that is meant") == 2
    assert "inhomogeneous" in subprocess.run([sys.executable, "-c", RAGGED], capture_output=True, text=True).stderr


def test_arrays_that_are_copied_only_where_they_have_to_be(sandbox: Sandbox) -> None:
    """An error where NumPy 2 has to copy."""
    done = sandbox.run("-c", NO_COPY)
    assert done.stdout == NO_COPY_SAYS, done.stderr


def test_functions_of_lists_of_different_lengths(sandbox: Sandbox) -> None:
    done = sandbox.run("-c", OF_RAGGED)
    assert done.stdout == OF_RAGGED_SAYS, done.stderr  # what NumPy 1.21 prints
    assert done.stderr.count("write dtype=object if that is meant") == 4  # once for each line


def test_lists_of_numbers_show_the_numbers(sandbox: Sandbox) -> None:
    code = """
import numpy as np
print([np.float32(0.5), np.int64(3), np.bool_(True)], {'a': np.float64(1)})
np.set_printoptions(precision=3)
print([np.float64(2)], np.array([1 / 3]))
"""
    assert sandbox.out(code).splitlines() == ["[0.5, 3, True] {'a': 1.0}", "[2.0] [0.333]"]


def test_arrays_in_compiled_functions(sandbox: Sandbox) -> None:
    """Numba knows `numpy.array` under its new function, too; pickle finds it."""
    pytest.importorskip("numba")
    code = """
import numpy as np, numba, pickle
@numba.njit
def total(n):
    return np.array([1, 2, n]).sum()
print(total(3), pickle.loads(pickle.dumps(np.array)) is np.array)
"""
    assert sandbox.out(code) == "6 True"


def test_pillow(sandbox: Sandbox) -> None:
    pytest.importorskip("PIL")
    code = """
from PIL import Image, ImageDraw, ImageFont
image = Image.new('RGB', (8, 8))
print(image.resize((4, 4), Image.ANTIALIAS).size, Image.LINEAR == Image.BILINEAR, Image.CUBIC == Image.BICUBIC)
size = ImageDraw.Draw(image).textsize('ab')
print(size == ImageFont.load_default().getsize('ab'), min(size) > 0)
"""
    assert sandbox.out(code).splitlines() == ["(4, 4) True True", "True True"]


def test_scipy_with_names_of_numpy(sandbox: Sandbox) -> None:
    sandbox.write(
        "scipy/__init__.py",
        "def __getattr__(name):\n    if name == 'linalg': return name\n    raise AttributeError('scipy lacks ' + name)\n",
    )
    code = """
import numpy, scipy
print(scipy.random is numpy.random, scipy.pi == numpy.pi, scipy.linalg)
try: scipy.no_such_name
except AttributeError as error: print(error)
"""
    assert sandbox.out(code).splitlines() == ["True True linalg", "scipy lacks no_such_name"]


def test_yaml_without_a_loader(sandbox: Sandbox) -> None:
    pytest.importorskip("yaml")
    code = """
import io, yaml
print(yaml.load('a: [1, 2]'), list(yaml.load_all('b: 3')), yaml.load(io.StringIO('c'), Loader=yaml.SafeLoader))
"""
    assert sandbox.out(code) == "{'a': [1, 2]} [{'b': 3}] c"


OLD_MODULE = """# Generated by the protocol buffer compiler.  DO NOT EDIT!
import sys
_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))
from google.protobuf import descriptor as _descriptor
{imports}
DESCRIPTOR = _descriptor.FileDescriptor(
  name='{name}.proto',
  package='old',
  syntax='proto2',
  serialized_pb=_b({serialized!r})
)
_ENTRY = _descriptor.Descriptor(name='Entry', full_name='old.Entry', filename=None, file=DESCRIPTOR,
  containing_type=None, fields=[], extensions=[], nested_types=[], enum_types=[], options=None)
"""


def test_modules_that_protoc_made_then(sandbox: Sandbox) -> None:
    """Two of them, one of which uses the other; protobuf has been imported before with any implementation."""
    pb2 = pytest.importorskip("google.protobuf.descriptor_pb2")
    for name, field, imports in [("entry", None, ""), ("table", "old.Entry", "import entry_pb2 as entry__pb2")]:
        file = pb2.FileDescriptorProto(name=f"{name}.proto", package="old", syntax="proto2")
        made = file.message_type.add(name=name.title())
        if field is None:
            made.field.add(name="key", number=1, type=9, label=1)
        else:
            file.dependency.append("entry.proto")
            made.field.add(name="entries", number=1, type=11, label=3, type_name=".old.Entry")
        serialized = file.SerializeToString().decode("latin1")
        text = OLD_MODULE.format(name=name, serialized=serialized, imports=imports)
        sandbox.write(f"{name}_pb2.py", text)
    code = """
import google.protobuf.message, table_pb2, entry_pb2
table = table_pb2.Table(entries=[entry_pb2.Entry(key='a')])
again = table_pb2.Table.FromString(table.SerializeToString())
print(again.entries[0].key, table_pb2.DESCRIPTOR.name, table_pb2.Table.__module__)
"""
    site = {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = sandbox.run("-c", code, path=(site["PYTHONPATH"],))
    assert done.stdout == "a table.proto table_pb2\n", done.stderr


def test_modules_that_protoc_makes_now(sandbox: Sandbox) -> None:
    sandbox.write("new_pb2.py", "DESCRIPTOR = 'made by a builder'\n")
    assert sandbox.out("import new_pb2; print(new_pb2.DESCRIPTOR)") == "made by a builder"
