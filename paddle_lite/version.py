"""Versions, under the names of PaddlePaddle's `paddle.version`: they tell programs which API they may use.

`own_version` is paddle_lite's own.
"""

own_version = "0.1.0"

full_version = "1.8.5"
major, minor, patch = full_version.split(".")
rc = "0"
istaged = True
commit = "8e1712a71057e3ca06a2927ceec51c18cb171fdc"
with_mkl = "OFF"


def mkl() -> str:
    """Return "OFF": there are no kernels of Intel's MKL.

    >>> mkl()
    'OFF'
    """
    return with_mkl


def show() -> None:
    """Print the version of PaddlePaddle whose API this package has.

    >>> show()
    full_version: 1.8.5
    major: 1
    minor: 8
    patch: 5
    rc: 0
    """
    for name in ("full_version", "major", "minor", "patch", "rc"):
        print(f"{name}: {globals()[name]}")
