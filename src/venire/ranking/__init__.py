"""Ranking: battles and scores become standings of systems."""
