"""The 2.0-alpha functions whose signature is not Fluid's; each calls the Fluid form."""
