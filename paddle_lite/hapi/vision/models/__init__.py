"""Networks that classify images; `core/lazy.py` explains the table."""

from ....core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.vision.models: lenet.* mobilenetv1.* mobilenetv2.* resnet.* vgg.*
    modules: lenet mobilenetv1 mobilenetv2 resnet vgg
    """,
)
