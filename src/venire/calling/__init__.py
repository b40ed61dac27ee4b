"""The only concurrent code: asks planned calls within limits, retries, and records every exchange."""
