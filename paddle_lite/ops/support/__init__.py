"""Shape arithmetic and requirements that references and kernels share. Imports neither kernels nor operators."""
