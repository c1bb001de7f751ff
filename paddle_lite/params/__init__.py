"""What belongs to parameters in every mode: ParamAttr, initializers, regularizers, gradient clipping."""
