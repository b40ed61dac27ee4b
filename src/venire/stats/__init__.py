"""Mathematics: arrays in, frozen result out; one published method per file; no word of the domain."""
