from paddle_lite.jit.converters import scopes

from .rewriting import rewritten


def test_super_gets_its_arguments():
    assert rewritten(scopes, "return super().f()", "self") == "return super(__class__, self).f()"
    assert rewritten(scopes, "return super(A, self).f()", "self") == "return super(A, self).f()"


def test_private_names_are_written_out():
    assert rewritten(scopes, "self.__x + __y + self.__init__ + self._z", "self") == (
        "self._Net__x + _Net__y + self.__init__ + self._z"
    )
