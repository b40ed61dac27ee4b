"""The command: parses arguments, calls one function, prints one result."""
