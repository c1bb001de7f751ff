"""Images: channels moved and scaled; other sizes; places of a grid."""

from ...layers.channels import affine_channel, pixel_shuffle, shuffle_channel, space_to_depth
from ...layers.grid import affine_grid, grid_sampler
from ...layers.resize import image_resize, image_resize_short, resize_bilinear, resize_nearest, resize_trilinear

__all__ = [
    "affine_channel",
    "affine_grid",
    "grid_sampler",
    "image_resize",
    "image_resize_short",
    "pixel_shuffle",
    "resize_bilinear",
    "resize_nearest",
    "resize_trilinear",
    "shuffle_channel",
    "space_to_depth",
]
