"""Makes paddle_lite/static/proto/descriptor.py from framework.proto beside it; needs grpcio-tools.

python tests/interop/generate_descriptor.py
"""

from __future__ import annotations

import base64
import pathlib
import tempfile
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "paddle_lite" / "static" / "proto"


def generated() -> str:
    """The text of descriptor.py."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from grpc_tools import protoc

    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "descriptor")
        if protoc.main(["protoc", f"-I{FOLDER}", f"--descriptor_set_out={out}", "framework.proto"]) != 0:
            raise RuntimeError("protoc does not accept framework.proto")
        (file,) = FileDescriptorSet.FromString(out.read_bytes()).file
    lines = textwrap.wrap(base64.b64encode(file.SerializeToString(deterministic=True)).decode(), 112)
    body = "\n".join(f'    b"{line}"' for line in lines)
    return (
        '"""framework.proto as a serialized FileDescriptorProto. Made by tests/interop/generate_descriptor.py."""\n\n'
        "from base64 import b64decode\n\n"
        f"FILE = b64decode(\n{body}\n)\n"
    )


if __name__ == "__main__":
    (FOLDER / "descriptor.py").write_text(generated())
