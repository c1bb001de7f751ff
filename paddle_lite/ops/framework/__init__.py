"""What every operator is made with: declaration, registry, compiled calls, listing."""
