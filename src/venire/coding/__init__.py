"""Judgments to arrays and back: the only coder of labels, scales and missing codes."""
