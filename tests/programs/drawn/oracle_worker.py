"""Run Programs in real PaddlePaddle 1.8.5: PYTHON_WITH_PADDLE_1_8_5 oracle_worker.py FOLDER.

Runs on Python 3.7 and imports nothing of paddle_lite. Of each FOLDER/N.program it runs FOLDER/N.pickle, which holds the feeds
and the names to fetch, and writes FOLDER/N.results: for each feed what Paddle said of the whole Program ("" if it ran), and by
name an array with its LoD, or what Paddle said of the part of the Program that this name needs.
"""

import os
import pickle
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(HERE))))

from tests.ops.record import in_children  # noqa: E402


def tensor(fluid, data, dtype, shape, lod):
    """A LoDTensor of bytes."""
    made = fluid.LoDTensor()
    made.set(np.frombuffer(data, dtype).reshape(shape), fluid.CPUPlace())
    if lod:
        made.set_lod(lod)
    return made


def follows_from_blocks(block, name):
    """Whether a name is computed from what an operator with a block writes."""
    needed = {name}
    for op in reversed(block.ops):
        if needed.intersection(op.output_arg_names):
            if op.has_attr("sub_block"):
                return True
            needed.update(op.input_arg_names)
    return False


class Run:
    """One Program with one feed."""

    def __init__(self, path, which):
        self.path, self.which = path, which
        with open(path + ".pickle", "rb") as file:
            job = pickle.load(file)
        self.feed, self.fetches = job["feeds"][which], job["fetches"]

    def whole(self, fluid):
        """All that is fetched."""
        return self._run(fluid, self._program(fluid), self.fetches)

    def part(self, fluid, name):
        """One of the names alone, by the operators that it needs, or where it follows from blocks by all up to it.

        Of blocks Paddle's `_prune` takes operators away that it needs: a loop ends without a word as if no round had run.
        """
        program = self._program(fluid)
        block = program.global_block()
        if not follows_from_blocks(block, name):
            return self._run(fluid, program._prune([name]), [name])[name]
        while name not in block.ops[-1].output_arg_names:
            block._remove_op(len(block.ops) - 1)
        return self._run(fluid, program, [name])[name]

    def _program(self, fluid):
        with open(self.path + ".program", "rb") as file:
            return fluid.Program.parse_from_string(file.read())

    def _run(self, fluid, program, names):
        block = program.global_block()
        given = {name: tensor(fluid, *value) for name, value in self.feed.items() if block.has_var(name)}
        executor = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            made = executor.run(program, feed=given, fetch_list=names, return_numpy=False)
            return {name: (np.array(value), value.lod()) for name, value in zip(names, made)}


def main(folder):
    import paddle.fluid as fluid

    names = sorted((n[:-8] for n in os.listdir(folder) if n.endswith(".program")), key=int)
    runs = []
    for name in names:
        path = os.path.join(folder, name)
        with open(path + ".pickle", "rb") as file:
            runs += [Run(path, which) for which in range(len(pickle.load(file)["feeds"]))]
    wholes = in_children([lambda run=run: run.whole(fluid) for run in runs])
    parts = [(k, name) for k, found in enumerate(wholes) if isinstance(found, str) for name in runs[k].fetches]
    alone = in_children([lambda k=k, name=name: runs[k].part(fluid, name) for k, name in parts])
    said = [found if isinstance(found, str) else "" for found in wholes]
    results = [{} if isinstance(found, str) else found for found in wholes]
    for (k, name), found in zip(parts, alone):
        results[k][name] = found
    files = {}
    for run, text, found in zip(runs, said, results):
        files.setdefault(run.path, []).append((text, found))
    for path, found in files.items():
        with open(path + ".results", "wb") as file:
            pickle.dump(found, file, 2)


if __name__ == "__main__":
    main(sys.argv[1])
