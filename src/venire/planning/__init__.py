"""Who is asked what, in which order, how often, at what cost: pure and deterministic."""
