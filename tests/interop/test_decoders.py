"""Models with a CRF and with a beam search give the same out of their files."""

import paddle_lite.fluid as fluid
from tests.interop import decoders


def test_decoders_survive_their_files(tmp_path):
    decoders.write(fluid, str(tmp_path))
    found = dict(decoders.differences(str(tmp_path), lambda below, name: decoders.read_by_executor(fluid, below, name)))
    assert found == {"crf": 0, "beam": 0}
