"""The framework of operators: declarations, the registry, compiled calls and the listing."""
