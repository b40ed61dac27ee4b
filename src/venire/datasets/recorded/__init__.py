"""Judgments that were made elsewhere: one module for each shape in which people keep them."""
