from paddle_lite.jit.converters import shapes

from .rewriting import rewritten


def test_shapes_are_asked_for():
    assert rewritten(shapes, "return x.y.shape[0]") == "return _jst.shape(x.y)[0]"


def test_setting_one_stays():
    assert rewritten(shapes, "x.shape = y") == "x.shape = y"
