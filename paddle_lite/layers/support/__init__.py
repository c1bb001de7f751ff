"""Support code of the layer functions: LayerHelper, checks of arguments, nested structures, writing into Variables."""
