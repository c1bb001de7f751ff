"""Random calls of spatial pyramid pooling."""

from tests.ops.row import Sample

TOLERANCE = (2e-5, 2e-6)


def spp(d):
    """Images as large as the finest grid, so that no window lies outside of them."""
    levels = d.int(1, 3)
    bins = 2 ** (levels - 1)
    high, wide = (bins * d.int(2, 3) for _ in range(2))
    x = d.apart((d.int(1, 3), d.int(1, 3), high, wide), d.one("float32", "float64"))
    return Sample({"X": x}, {"pyramid_height": levels, "pooling_type": d.one("max", "avg")})


CALLS = {"spp": spp}
