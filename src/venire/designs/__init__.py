"""The design file: YAML to a Design with errors that name the line, and its published schema."""
