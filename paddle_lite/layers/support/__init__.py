"""What the functions share: LayerHelper, arguments, nested structures, results in existing Variables."""
