"""What functions, classes and objects of Python and NumPy could do in 2018-2020, and cannot any longer.

Loaded by sitecustomize.py under `python -m paddle_lite run`. Methods are added beside the others, and functions accept the
arguments of then beside those of now, so that other code sees no difference.
"""

import functools
import sys
import types


def give_methods(kind, **methods):
    """Give a class methods that it lacks; also a class of C, whose attributes cannot be set.

    One that NumPy has dropped is an attribute that raises an error, which is replaced.
    """
    lacking = {
        name: method
        for name, method in methods.items()
        if isinstance(getattr(kind, name, None), (types.GetSetDescriptorType, type(None)))
    }
    if _is_open(kind):
        for name, method in lacking.items():
            setattr(kind, name, method)
    elif lacking:
        import ctypes
        import gc

        gc.get_referents(vars(kind))[0].update(lacking)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _is_open(kind):
    """Return whether attributes of a class can be set: Python's classes are open, those of C are not."""
    try:
        kind.__doc__ = kind.__doc__
    except (AttributeError, TypeError):
        return False
    return True


# --- modules of Python ------------------------------------------------------------------------------------------------


def restore_array(array):
    """Restore the methods that are called tobytes and frombytes now; dropped in Python 3.9."""
    give_methods(array.array, tostring=lambda self: self.tobytes(), fromstring=lambda self, s: self.frombytes(s))


class _Opening:
    """open(), whose mode may have a U as up to Python 3.10, where it has had no effect since Python 3.0.

    An object, as a function of Python would become a method where a class holds it.
    """

    def __init__(self, opened):
        self.opened = opened
        self.__doc__, self.__name__, self.__module__ = opened.__doc__, opened.__name__, opened.__module__

    def __call__(self, file, mode="r", *args, **kwargs):
        if isinstance(mode, str) and "U" in mode and not set("wax+") & set(mode):
            mode = mode.replace("U", "")
            mode = mode if "r" in mode else "r" + mode
        return self.opened(file, mode, *args, **kwargs)


def restore_builtins(builtins):
    """Let open() take the mode 'rU' again; dropped in Python 3.11."""
    if sys.version_info >= (3, 11):
        builtins.open = _Opening(builtins.open)


def restore_configparser(configparser):
    """Restore what has other names since Python 3.2; dropped in Python 3.12."""
    vars(configparser).setdefault("SafeConfigParser", configparser.ConfigParser)
    give_methods(configparser.RawConfigParser, readfp=lambda self, fp, filename=None: self.read_file(fp, filename))


def restore_html_parser(parser):
    """Restore the method that is `html.unescape` now; dropped in Python 3.9."""
    from html import unescape

    give_methods(parser.HTMLParser, unescape=lambda self, s: unescape(s))


def restore_json(json):
    """Let load() and loads() be told an encoding, which has no effect on text; an error since Python 3.9."""

    def without_encoding(parse):
        @functools.wraps(parse)
        def parsed(*args, encoding=None, **kwargs):
            return parse(*args, **kwargs)

        return parsed

    json.load, json.loads = without_encoding(json.load), without_encoding(json.loads)


def restore_random(random):
    """Let sample() take a set, shuffle() a function, and randint() whole numbers that are floats; errors since 3.11 and 3.12."""
    kind = random.Random
    sample, shuffle, randrange = kind.sample, kind.shuffle, kind.randrange

    @functools.wraps(sample)
    def sample_of_sets(self, population, k, **counts):
        return sample(self, tuple(population) if isinstance(population, (set, frozenset)) else population, k, **counts)

    @functools.wraps(shuffle)
    def shuffle_by(self, x, random=None):
        if random is None:
            return shuffle(self, x)
        for i in reversed(range(1, len(x))):
            j = int(random() * (i + 1))
            x[i], x[j] = x[j], x[i]

    @functools.wraps(randrange)
    def randrange_of_whole(self, *bounds, **more):
        return randrange(self, *map(_whole, bounds), **{name: _whole(value) for name, value in more.items()})

    kind.sample, kind.shuffle, kind.randrange = sample_of_sets, shuffle_by, randrange_of_whole
    for name in ("sample", "shuffle", "randrange"):
        setattr(random, name, getattr(random._inst, name))


def _whole(number):
    """Return a float without a fraction as an int, anything else as it is."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def restore_threading(threading):
    """Restore the method that is called is_alive now; dropped in Python 3.9."""
    give_methods(threading.Thread, isAlive=threading.Thread.is_alive)


ASSERTIONS = {
    "assertAlmostEquals": "assertAlmostEqual",
    "assertEquals": "assertEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertNotEquals": "assertNotEqual",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "assertRegexpMatches": "assertRegex",
    "assert_": "assertTrue",
}


def restore_unittest_case(case):
    """Restore the assertions under their names of Python 2; dropped in Python 3.12."""
    kind = case.TestCase
    give_methods(kind, **{old: getattr(kind, new) for old, new in ASSERTIONS.items()})


def restore_element_tree(tree):
    """Restore lists of children and descendants; dropped in Python 3.9."""
    give_methods(
        tree.Element, getchildren=lambda self: list(self), getiterator=lambda self, tag=None: list(self.iter(tag))
    )
    give_methods(tree.ElementTree, getiterator=lambda self, tag=None: list(self.iter(tag)))


# --- NumPy ------------------------------------------------------------------------------------------------------------


def restore_numpy(numpy):
    """Restore the methods of arrays that NumPy 2.0 and 2.3 dropped."""

    def itemset(self, *args):
        *index, value = args
        index = index[0] if len(index) == 1 else tuple(index)
        self[numpy.unravel_index(index, self.shape) if isinstance(index, int) else index] = value

    give_methods(
        numpy.ndarray,
        itemset=itemset,
        newbyteorder=lambda self, new_order="S": self.view(self.dtype.newbyteorder(new_order)),
        ptp=lambda self, *args, **kwargs: numpy.ptp(self, *args, **kwargs),
        tostring=lambda self, order="C": self.tobytes(order),
    )


RESTORE = {
    "array": restore_array,
    "builtins": restore_builtins,
    "configparser": restore_configparser,
    "html.parser": restore_html_parser,
    "json": restore_json,
    "numpy": restore_numpy,
    "random": restore_random,
    "threading": restore_threading,
    "unittest.case": restore_unittest_case,
    "xml.etree.ElementTree": restore_element_tree,
}


def restore(module):
    """Let what a module has do what it could do."""
    RESTORE[module.__name__](module)
