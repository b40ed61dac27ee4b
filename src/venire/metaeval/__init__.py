"""Judging the judges: agreement with gold, with the panel, and with chance."""
