"""venire: judge LLM outputs with panels of LLM judges."""
