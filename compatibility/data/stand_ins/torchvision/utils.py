"""The one name that programs import and do not call."""


def save_image(*arguments, **settings):
    """Refuse, since this is no torchvision."""
    raise NotImplementedError("torchvision is a stand-in here")
