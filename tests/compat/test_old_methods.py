"""What objects of Python, NumPy, SciPy, pandas and Matplotlib could do in 2018-2020, under `run` and in notebooks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import paddle_lite

from .sandbox import Sandbox

PYTHON = """
import array, configparser, html.parser, io, json, random, threading, unittest, warnings
import xml.etree.ElementTree as tree
warnings.simplefilter('ignore', DeprecationWarning)  # some are in Python 3.10 and 3.11 still, and warn
assert json.loads('[1]', encoding='utf-8') == json.load(io.StringIO('[1]'), encoding='utf8') == json.loads('[1]') == [1]
assert threading.Thread().isAlive() is False
parser = configparser.SafeConfigParser()
parser.readfp(io.StringIO('[part]'))
assert parser.sections() == ['part'] and html.parser.HTMLParser().unescape('&lt;') == '<'
root = tree.fromstring('<a><b/><c><b/></c></a>')
assert [e.tag for e in root.getchildren()] == ['b', 'c'] and len(root.getiterator('b')) == 2
assert len(tree.ElementTree(root).getiterator()) == 4
numbers = array.array('b')
numbers.fromstring(b'ab')
assert numbers.tostring() == b'ab'
class Case(unittest.TestCase):
    def test(self):
        self.assertEquals(1, 1)
        self.assert_(True)
        self.assertRaisesRegexp(ValueError, 'invalid', int, 'x')
assert unittest.TextTestRunner(io.StringIO()).run(unittest.makeSuite(Case)).testsRun == 1
import codecs, os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'lines')
    with open(path, 'wb') as file:
        file.write(b'a\\r\\nb\\n')
    class Reader:
        opened = open
    for call in (lambda: open(path, 'rU'), lambda: open(path, mode='U'), lambda: codecs.open(path, 'rU'), lambda: Reader().opened(path, 'Ur')):
        with call() as file:
            assert [line.rstrip() for line in file] == ['a', 'b']
    with open(path, 'rUb') as file:
        assert file.read() == b'a\\r\\nb\\n'
    for mode in ('wU', 'rUx', 'rq'):
        try:
            open(path, mode)
        except ValueError:
            continue
        raise AssertionError(mode)
"""
RANDOM = """
import random
random.seed(7)
print(sorted(random.sample({1, 2, 3}, 3)), random.randint(2.0, 2.0), random.sample([1, 1], k=1), random.Random(1).randrange(3))
order = [1, 2, 3, 4]
random.shuffle(order, lambda: 0.3)
print(order)
for call in (lambda: random.randint(0, 1.5), lambda: random.sample({1}, 2)):
    try: call()
    except (TypeError, ValueError): print('an error')
"""
ARRAYS = """
import numpy as np
a = np.arange(6.).reshape(2, 3)
a.itemset(1, 7)
a.itemset((1, 0), 8)
a.itemset(1, 1, 9)
print(a.tolist(), a.ptp(), a.ptp(axis=0).tolist(), a.tostring() == a.tobytes(), a.tostring('F') == a.T.tobytes())
print(a.newbyteorder().byteswap().tolist() == a.tolist(), np.zeros(1).newbyteorder('>').dtype.byteorder)
"""
IMAGES = """
import numpy as np
from scipy.misc import comb, imread, imresize, imsave, logsumexp, toimage
picture = (np.arange(48).reshape(4, 4, 3) * 5).astype('uint8')
imsave('a.png', picture)
grey = np.linspace(-1, 1, 4).reshape(2, 2)
imsave('b.png', grey)
print((imread('a.png') == picture).all(), imread('a.png', mode='L').shape, imread('a.png', flatten=True).dtype, imread('b.png').tolist())
print(imresize(picture, (2, 8)).shape, imresize(picture, 50).shape, imresize(picture, 2.0, 'nearest')[::2, ::2].tolist() == picture.tolist())
print(toimage(picture.transpose(2, 0, 1)).size, toimage(grey, cmin=-1, cmax=3).getpixel((1, 1)), comb(5, 2), round(logsumexp([0, 0]), 3))
try: toimage(np.zeros(3))
except ValueError as error: print(error)
"""
TABLES = """
import io
import pandas as pd
table = pd.DataFrame({'a': [1, 2], 'b': [3.0, 4.0]})
table = table.append({'a': 5, 'b': 6.0}, ignore_index=True).append(table.ix[0])
print(table.as_matrix().tolist(), table.get_values().shape, [name for name, _ in table.iteritems()], table.a.append(table.b).shape)
named = pd.DataFrame({'a': [1, 2]}, index=['x', 'y'])
named.ix['z', 'a'] = 3
named.ix[0, 0] = 7
print(int(named.ix['x', 'a']), int(named.ix[1, 0]), named.ix['z'].size, named.as_matrix(['a']).shape, pd.np.__name__, pd.datetime.__name__)
print(pd.read_csv(io.StringIO('a,b\\n1,2\\n1,2,3\\n'), error_bad_lines=False, warn_bad_lines=False).shape)
"""
PLOTS = """
import matplotlib
matplotlib.use('Agg', warn=False)
import matplotlib.pyplot as plt
plt.style.use('seaborn-whitegrid')
print(type(plt.figure().gca(projection='3d')).__name__, type(plt.figure().gca()).__name__, plt.cm.get_cmap('jet', 4).N)
"""


def plain(code: str) -> str:
    """What Python alone writes to stderr."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr


def out(code: str, folder: Path) -> str:
    """What a program prints under `run` with the packages that are installed; the sandbox has a SciPy of its own."""
    words = [sys.executable, "-m", "paddle_lite", "run", "-c", code]
    env = {**os.environ, "PYTHONPATH": str(Path(paddle_lite.__file__).parent.parent)}
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_python(sandbox: Sandbox) -> None:
    sandbox.out(PYTHON)
    assert "TypeError" in plain(PYTHON)


def test_random_numbers(sandbox: Sandbox) -> None:
    assert sandbox.out(RANDOM).splitlines() == ["[1, 2, 3] 2 [1] 0", "[4, 3, 1, 2]", "an error", "an error"]


def test_random_numbers_stay_the_same(sandbox: Sandbox) -> None:
    code = "import random; random.seed(3); x = list(range(9)); random.shuffle(x); print(x, random.sample(x, 4), random.randint(0, 99))"
    assert (
        sandbox.out(code) == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
    )


def test_arrays(sandbox: Sandbox) -> None:
    first, second = sandbox.out(ARRAYS).splitlines()
    assert first == "[[0.0, 7.0, 2.0], [8.0, 9.0, 5.0]] 9.0 [8.0, 2.0, 3.0] True True" and second == "True >"


def test_images_by_way_of_scipy(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("PIL")
    assert out(IMAGES, tmp_path).splitlines() == [
        "True (4, 4) float32 [[0, 85], [170, 255]]",
        "(2, 8, 3) (2, 2, 3) True",
        "(4, 4) 128 10.0 0.693",
        "'arr' does not have a suitable array shape for any mode.",
    ]


def test_tables(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    assert out(TABLES, tmp_path).splitlines() == [
        "[[1.0, 3.0], [2.0, 4.0], [5.0, 6.0], [1.0, 3.0]] (4, 2) ['a', 'b'] (8,)",
        "7 2 1 (3, 1) numpy datetime",
        "(1, 2)",
    ]


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert out(PLOTS, tmp_path) == "Axes3D Axes 4"


def test_modules_that_moved(sandbox: Sandbox) -> None:
    sandbox.write("sklearn/__init__.py", "")
    sandbox.write("sklearn/model_selection.py", "def train_test_split(): pass\n")
    sandbox.write("sklearn/externals/__init__.py", "")
    sandbox.write("joblib.py", "name = 'joblib'\n")
    code = """
from sklearn.externals import joblib
import sklearn.cross_validation, sklearn.model_selection
print(joblib.name, joblib.__spec__.name, sklearn.cross_validation is sklearn.model_selection)
"""
    assert sandbox.out(code) == "joblib joblib True"


def test_a_module_that_is_there_still_is_taken(sandbox: Sandbox) -> None:
    sandbox.write("sklearn/__init__.py", "")
    sandbox.write("sklearn/grid_search.py", "here = True\n")
    assert sandbox.out("import sklearn.grid_search; print(sklearn.grid_search.here)") == "True"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_modules_of_python_are_installed_with_paddle_lite() -> None:
    import imghdr
    import imp
    from distutils.util import strtobool

    assert strtobool("yes") and imp.reload and imghdr.what(None, b"\x89PNG\r\n\x1a\n") == "png"


def test_notebooks() -> None:
    code = """
import json, numpy, random, threading
import paddle_lite
paddle_lite.load_ipython_extension(None)
paddle_lite.load_ipython_extension(None)
import paddle, sys
print(numpy.float, json.loads('1', encoding='utf-8'), threading.Thread().isAlive(), numpy.zeros(1).tostring()[:1])
print(len([finder for finder in sys.meta_path if getattr(finder, '__name__', '') == '_Finder']))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["<class 'float'> 1 False b'\\x00'", "1"], done.stderr
