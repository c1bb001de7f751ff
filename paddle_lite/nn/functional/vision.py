"""Images: channels moved and scaled."""

from ...layers.channels import affine_channel, pixel_shuffle, shuffle_channel, space_to_depth

__all__ = ["affine_channel", "pixel_shuffle", "shuffle_channel", "space_to_depth"]
