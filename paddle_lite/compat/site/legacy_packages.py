"""What programs of 2018-2020 take from Pillow and PyYAML, and these have dropped since; modules that protoc made then.

Loaded by sitecustomize.py when a program under `python -m paddle_lite run` imports one of them.
"""

import ast
import importlib
import os


def restore_image(image):
    """Restore the filters of PIL.Image under their old names; dropped in Pillow 10."""
    names = vars(image)
    for old, new in (("ANTIALIAS", "LANCZOS"), ("LINEAR", "BILINEAR"), ("CUBIC", "BICUBIC")):
        names.setdefault(old, names["Resampling"][new])


def restore_image_draw(image_draw):
    """Restore the size of a text; dropped in Pillow 10."""

    def textsize(self, text, font=None, spacing=4, direction=None, features=None, language=None, stroke_width=0):
        box = self.multiline_textbbox(
            (0, 0), text, font, None, spacing, "left", direction, features, language, stroke_width
        )
        return int(box[2]), int(box[3])

    if not hasattr(image_draw.ImageDraw, "textsize"):
        image_draw.ImageDraw.textsize = textsize


def restore_image_font(image_font):
    """Restore the size of a text in a font; dropped in Pillow 10."""

    def getsize(self, text, *args, **kwargs):
        box = self.getbbox(text, *args, **kwargs)
        return int(box[2]), int(box[3])

    for name in ("FreeTypeFont", "ImageFont", "TransposedFont"):
        kind = getattr(image_font, name)
        if not hasattr(kind, "getsize"):
            kind.getsize = getsize


def restore_yaml(yaml):
    """`yaml.load(stream)` without a Loader, which makes Python objects of plain kinds; an error since PyYAML 6."""
    load, load_all = yaml.load, yaml.load_all

    def load_as_before(stream, Loader=None):
        return load(stream, yaml.FullLoader if Loader is None else Loader)

    def load_all_as_before(stream, Loader=None):
        return load_all(stream, yaml.FullLoader if Loader is None else Loader)

    for new, old in ((load_as_before, load), (load_all_as_before, load_all)):
        new.__name__, new.__doc__, new.__module__ = old.__name__, old.__doc__, old.__module__
    yaml.load, yaml.load_all = load_as_before, load_all_as_before


def restore_pil(pil):
    """Restore the version under its old name; dropped in Pillow 7."""
    vars(pil).setdefault("PILLOW_VERSION", pil.__version__)


RESTORE = {
    "PIL": restore_pil,
    "PIL.Image": restore_image,
    "PIL.ImageDraw": restore_image_draw,
    "PIL.ImageFont": restore_image_font,
    "yaml": restore_yaml,
}


def restore(module):
    """Give a module back what it has dropped."""
    RESTORE[module.__name__](module)


# --- modules that protoc 3.19 and older made ---------------------------------------------------------------------------


def _serialized(tree):
    """Return the bytes of the descriptor in the source of such a module, or None if a newer protoc made it."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "DESCRIPTOR":
            for keyword in getattr(node.value, "keywords", ()):
                if keyword.arg == "serialized_pb":
                    return _bytes(keyword.value)
    return None


def _bytes(node):
    """Return the bytes of a literal, which may be a string in a call `_b('...')`."""
    literal = node.args[0] if isinstance(node, ast.Call) and node.args else node
    value = ast.literal_eval(literal)
    return value.encode("latin1") if isinstance(value, str) else value


def _imports(tree, package):
    """Import the modules that the module imports, on which its messages may depend."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                importlib.import_module(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.import_module("." * node.level + (node.module or ""), package)
            for alias in node.names:
                if alias.name.endswith("_pb2") and not hasattr(base, alias.name):
                    importlib.import_module(f"{base.__name__}.{alias.name}")


def execute_pb2(module, execute, path):
    """Execute a module that protoc made; an old one by the functions with which a new one makes its messages.

    What old modules call themselves works in protobuf's slow implementation only, which has to be chosen before any
    other module imports protobuf.
    """
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    serialized = _serialized(tree)
    try:
        from google.protobuf import descriptor_pool
        from google.protobuf.internal import builder
    except ImportError:
        serialized = None
    if serialized is None:
        execute(module)
        return
    _imports(tree, module.__package__)
    names = vars(module)
    names["DESCRIPTOR"] = descriptor_pool.Default().AddSerializedFile(serialized)
    builder.BuildMessageAndEnumDescriptors(names["DESCRIPTOR"], names)
    builder.BuildTopDescriptorsAndMessages(names["DESCRIPTOR"], module.__name__, names)


def is_source(path):
    """Return whether a module has a file of source."""
    return path is not None and path.endswith(".py") and os.path.isfile(path)
