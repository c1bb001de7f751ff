"""`paddle.check_import_scipy`. Made by `python -m stubs`."""

from paddle_lite.fluid.internals.native.windows import check_import_scipy as check_import_scipy
