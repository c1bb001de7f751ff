"""The compiler of kernels: from the Python source of a function to LLVM IR, object code, and a function of CPython.

In the order of the work: `source` finds the syntax tree; `functions` (statements) and `expressions` turn it into
instructions, with `arithmetic`, `arrays`, `elementwise`, `vectors`, `addresses` and `calls` for what each may contain,
`types` and `values` for what is known of it, `text` for the writing, and `templates` for functions that are written
without the front end; `module` collects the functions of a kernel, `entry` the function that Python calls; `machine` runs LLVM
for the processor that `processor` names; `objects` keeps the result; `variants` chooses by the types of the arguments.
What the compiler does not know raises `errors.Unsupported`, and the kernel goes to Numba.
"""
