"""Type stubs of paddle_lite: `python -m stubs` writes them, `python -m stubs --check` says which are out of date.

The public namespaces are tables (`paddle_lite/core/lazy.py`), which no type checker understands. So each has a stub beside
it, a `.pyi` file that imports its names from where they are defined, and so does each module of PaddlePaddle's file layout
that has no file of its own. What is Python source stays the source of its types: a stub holds no signatures, but

- `paddle_lite/core/typing.pyi`, the one static type `Variable` of the Variables of both modes, is made from their classes;
- `paddle_lite/core/made.pyi` holds the functions that a factory makes, with their signatures and docstrings.
"""
