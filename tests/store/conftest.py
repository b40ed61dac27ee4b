"""Lets pytest show the values in the shipped contract's assertions."""

import pytest

pytest.register_assert_rewrite("venire.testing.store_contract")
