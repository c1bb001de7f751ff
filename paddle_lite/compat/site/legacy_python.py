"""What programs of 2018-2020 take from Python's own modules, and Python has dropped since.

Loaded by sitecustomize.py under `python -m paddle_lite run`. A module is given a `__getattr__` for the names that it no
longer has, when it is imported. Only code outside of Python's own library and of paddle_lite finds them, so that their
choices stay the same.
"""

import os
import sys

_OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


def from_a_program(frame):
    """Return whether a frame runs code of a program or of a package, neither of Python's own library nor of paddle_lite."""
    name = frame.f_code.co_filename
    if name.startswith("<frozen") or name.startswith(_OURS):
        return False
    return not name.startswith(_STANDARD) or any(part in name for part in _INSTALLED)


def _of_collections(collections):
    """Restore the abstract classes of collections.abc; dropped in Python 3.10."""
    import collections.abc as classes

    return {name: getattr(classes, name) for name in classes.__all__}


def _of_time(time):
    """Restore the clock that counts the time of the process; dropped in Python 3.8."""
    return {"clock": time.process_time if os.name != "nt" else time.perf_counter}


def _of_fractions(fractions):
    """Restore the greatest common divisor, with the sign of b; dropped in Python 3.9."""
    import math

    def gcd(a, b):
        return -math.gcd(a, b) if b < 0 or (b == 0 and a < 0) else math.gcd(a, b)

    return {"gcd": gcd}


def _of_inspect(inspect):
    """Restore the arguments of a function as a named tuple of four; dropped in Python 3.11."""
    from collections import namedtuple

    ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")

    def getargspec(func):
        spec = inspect.getfullargspec(func)
        ours = (
            getattr(func, "__module__", "").partition(".")[0] == "paddle_lite"
        )  # has annotations, which 1.8.5 has not
        if spec.kwonlyargs or (spec.annotations and not ours):
            raise ValueError("the function has keyword-only arguments or annotations; use inspect.getfullargspec")
        return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)

    return {"getargspec": getargspec, "ArgSpec": ArgSpec, "formatargspec": _formatargspec}


def _formatargspec(
    args, varargs=None, varkw=None, defaults=None, *_, formatvalue=lambda value: "=" + repr(value), **__
):
    """Return the arguments of a function as text, "(a, b=1, *c)"; dropped in Python 3.11."""
    first = len(args) - len(defaults or ())
    words = [name + (formatvalue(defaults[k - first]) if k >= first else "") for k, name in enumerate(args)]
    words += [stars + name for stars, name in (("*", varargs), ("**", varkw)) if name]
    return "(" + ", ".join(words) + ")"


def _of_cgi(cgi):
    """Restore the escapes of HTML; dropped in Python 3.8."""
    import html

    return {"escape": lambda s, quote=None: html.escape(s, bool(quote)).replace("&#x27;", "'")}


def _of_platform(platform):
    """Restore the name and version of a Linux distribution; dropped in Python 3.8."""

    def linux_distribution(distname="", version="", id="", supported_dists=(), full_distribution_name=True):
        try:
            known = platform.freedesktop_os_release()
        except OSError:
            return distname, version, id
        name = known.get("NAME" if full_distribution_name else "ID", distname)
        return name, known.get("VERSION_ID", version), known.get("VERSION_CODENAME", id)

    def dist(distname="", version="", id="", supported_dists=()):
        return linux_distribution(distname, version, id, supported_dists, full_distribution_name=False)

    return {"linux_distribution": linux_distribution, "dist": dist}


def _of_unittest(unittest):
    """Restore the functions that make suites; dropped in Python 3.13."""

    def makeSuite(testCaseClass, prefix="test", sortUsing=None, suiteClass=unittest.TestSuite):
        loader = unittest.TestLoader()
        loader.testMethodPrefix, loader.suiteClass = prefix, suiteClass
        if sortUsing is not None:
            loader.sortTestMethodsUsing = sortUsing
        return loader.loadTestsFromTestCase(testCaseClass)

    return {"makeSuite": makeSuite}


def _of_base64(base64):
    """Restore the functions for lines of base 64; dropped in Python 3.9."""
    return {"encodestring": base64.encodebytes, "decodestring": base64.decodebytes}


DROPPED = {
    "base64": _of_base64,
    "cgi": _of_cgi,
    "collections": _of_collections,
    "fractions": _of_fractions,
    "inspect": _of_inspect,
    "platform": _of_platform,
    "time": _of_time,
    "unittest": _of_unittest,
}


def restore(module):
    """Let a module find the names that it has dropped; they are made at the first use of one."""
    found = {}
    before = vars(module).get("__getattr__")
    make = DROPPED[module.__name__]

    def __getattr__(name):
        if not name.startswith("_") and from_a_program(sys._getframe(1)):
            found.update(() if found else make(module))
            if name in found:
                return found[name]
        if before is not None:
            return before(name)
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    vars(module)["__getattr__"] = __getattr__
