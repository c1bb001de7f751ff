"""What PaddlePaddle 1.8's translation says of syntax trees, as functions on the trees of `ast` and of the package `gast`.

Tools of that time call these functions; the translation in `jit` does without them.
"""
