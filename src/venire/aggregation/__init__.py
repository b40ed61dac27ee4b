"""From judgments to verdicts: one rule per file, over coded votes."""
