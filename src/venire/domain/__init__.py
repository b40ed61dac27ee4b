"""The values that travel down the road: frozen dataclasses over the standard library, nothing else."""
