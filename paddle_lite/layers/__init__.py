"""The functions of `fluid.layers`, in the families of operators."""
