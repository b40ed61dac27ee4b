"""What can be asked: one file per API, the judges that run on this machine, and the offline ones."""
