"""Pictures of a training: `paddle_lite.plot`.

Curves, images, attention and confusion matrices are Figures of Matplotlib (the extra `plot`); graphs and flame graphs are SVG, which
needs no other package. A notebook shows each of them, and `save(path)` writes it. docs/pictures.md shows all of them.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    core.views.page: Picture
    plot.attention_maps: attention
    plot.confusion: confusion_matrix
    plot.flame: flame_graph
    plot.graphs: graph
    plot.image_pages: feature_maps images
    plot.line_plots: curves
    plot.profiling: Profile chrome_trace profile
    """,
)
