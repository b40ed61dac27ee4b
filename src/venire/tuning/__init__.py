"""Choosing among designs: what another one would have given, told from what was collected."""
