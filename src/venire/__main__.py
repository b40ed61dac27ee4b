"""`python -m venire` is the command."""

from venire.cli.main import run

if __name__ == "__main__":
    run()
