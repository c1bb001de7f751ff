"""Kernels for GPUs, written once in Python: run on a grid of threads in Python (tests), or translated to CUDA C.

language.py    what a kernel may call, in its Python form
kernel.py      `@device_kernel`, `launch`: from a call to a compiled function for the dtypes of its arrays
translate.py   a kernel's Python source to CUDA C
grid.py        a kernel run by Python, thread by thread, which finds wrong indices and missing barriers
prelude.py     the CUDA C of the functions in language.py

A kernel is a function over flat arrays and numbers, of which the decorator gives the types:

    @device_kernel(x="T[]", out="T[]", factor="A", size="int64")
    def scaled(x, out, factor, size):
        for i in range(block() * threads() + thread(), size, blocks() * threads()):
            out[i] = T(A(x[i]) * factor)

`T`, `U` and `V` stand for the dtypes of the arrays that a call brings; `A` is the type to accumulate values of T in (float32
for float16 and float32, float64 for float64, int64 for integers). Other types are bool, int32, int64, float32 and float64.
`"T[][]"` is a list of arrays, `"int64[...]"` one of numbers, of at most 32 each: they stand in the arguments of the kernel.
An array is contiguous and is indexed by one number; a name gets a type by its first assignment, which must stand in a
block around all its uses.

A plain `yield` is a barrier of all threads of a block; a function of the language that needs barriers is called by
`yield from`: `total = yield from block_sum(part)`. Division is of numbers of A, `//` and `%` are of integers that are not negative.
"""
