"""ResNet-50 with its strides in the 3 x 3 convolutions."""

from benchmarks.bench_vision import Vision

BLOCKS = (3, 4, 6, 3)


class ResNet50(Vision):
    """Four stages of blocks of three convolutions, the last four times as wide."""

    def describe(self, recipe):
        steps = [("conv", *recipe.conv("first", 3, 64, 7, 2)), ("relu",), ("pool",)]
        width = 64
        for stage, blocks in enumerate(BLOCKS):
            for block in range(blocks):
                name, inner = f"s{stage}b{block}", 64 * 2**stage
                stride = 2 if stage and not block else 1
                steps.append(("keep", name))
                steps += [("conv", *recipe.conv(name + "c0", width, inner, 1, 1)), ("relu",)]
                steps += [("conv", *recipe.conv(name + "c1", inner, inner, 3, stride)), ("relu",)]
                steps.append(("conv", *recipe.conv(name + "c2", inner, 4 * inner, 1, 1)))
                if not block:
                    steps.append(("keep conv", name, *recipe.conv(name + "short", width, 4 * inner, 1, stride)))
                steps += [("add", name), ("relu",)]
                width = 4 * inner
        return steps, width
