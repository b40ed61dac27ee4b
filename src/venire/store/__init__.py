"""Where the facts of a run are kept: memory and SQLite behind one contract, and the run folder."""
