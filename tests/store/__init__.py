"""Tests of venire.store."""
