"""Measurements that a user can repeat: speed, what a kill costs, and the README's table."""
