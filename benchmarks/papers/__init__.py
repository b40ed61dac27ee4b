"""The papers' tables from public recorded judgments, beside the figures of their sources."""
