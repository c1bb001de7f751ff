"""What writers of layers, optimizers and tools took from Fluid's own files: checks, nested structures, decorators, texts.

Nothing else of paddle_lite uses these functions; the table in `fluid/__init__.py` gives them the names of Fluid's files.
"""
