"""Shape arithmetic and input checks that references and kernels share. Imports neither kernels nor operators."""
