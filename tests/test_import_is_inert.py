"""Importing venire opens nothing, changes nothing and takes little time."""

import subprocess
import sys

CHECK = """
import asyncio, logging, os, socket, sys, threading
def state():
    loop = (asyncio.run, asyncio.get_event_loop_policy)
    return (*loop, logging.getLogger().level, dict(os.environ), threading.active_count())
def note(event, args):
    if event.startswith(("socket.", "subprocess.", "sqlite3.")):
        opened.append((event, args))
before, opened = state(), []
sys.addaudithook(note)
import venire
assert before == state(), "importing changed the process"
assert not opened, opened
heavy = {"aiohttp", "sqlalchemy", "polars", "xllamacpp", "genai_prices", "jinja2", "scipy"} & set(sys.modules)
assert not heavy, f"importing venire imported {heavy}"
"""


def test_importing_venire_opens_nothing_and_changes_nothing() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", CHECK], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
