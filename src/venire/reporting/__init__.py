"""The report of a run: one value, written as terminal text, JSON and HTML."""
