"""Functions of 2.0-alpha whose signatures differ from Fluid's; each calls the Fluid function."""
