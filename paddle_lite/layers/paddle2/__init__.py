"""Functions of 2.0-alpha whose signature is not Fluid's; each calls the Fluid form."""
