"""For those who extend venire: contract suites that every store and provider must pass."""
