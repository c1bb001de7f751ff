"""Parameters in every mode: ParamAttr, initializers, regularizers, gradient clipping."""
