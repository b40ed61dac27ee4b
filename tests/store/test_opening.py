"""Opening a store with real processes: killed, competing, reading, without space or permission."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from venire.domain.identity import CallId
from venire.errors import RunFolderError
from venire.store.sqlite import open_sqlite_store
from venire.testing.store_contract import DESIGN, make_exchange, make_item, make_judgment

RECORD_FOR_EVER = """
import sys
from itertools import count
from pathlib import Path
from venire.store.sqlite import open_sqlite_store
from venire.testing.store_contract import make_exchange
store = open_sqlite_store(Path(sys.argv[1]))
for n in count():
    exchange = make_exchange(f"prompt {n}")
    store.record([exchange]).result()
    print(exchange.call_ids[0], flush=True)
"""

FILL_THE_DISK = """
import resource, sys
from pathlib import Path
from dataclasses import replace
from random import Random
from venire.errors import RunFolderError
from venire.store.sqlite import open_sqlite_store
from venire.testing.store_contract import make_exchange
store = open_sqlite_store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
dice = Random(1)
for n in range(1000):
    exchange = replace(make_exchange(f"prompt {n}"), raw=dice.randbytes(4_000).hex())
    try:
        store.record([exchange]).result()
    except RunFolderError as error:
        print(f"ERROR {error}", flush=True)
        break
    print(exchange.call_ids[0], flush=True)
store.close()
"""

READ_WITHOUT_WRITING = """
import os, sys
from pathlib import Path
from venire.errors import RunFolderError
from venire.store.sqlite import open_sqlite_store
path = Path(sys.argv[1])
open_sqlite_store(path, read_only=True).close()  # imports all there is, while this process may
for name in sys.argv[2:]:
    path.with_name(name).unlink(missing_ok=True)
path.parent.chmod(0o555)
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere
try:
    store = open_sqlite_store(path, read_only=True)
    print(len(list(store.items())))
    store.close()
    open_sqlite_store(path)
except RunFolderError as error:
    print(error)
"""

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals, limits and permissions")


@contextmanager
def running(program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def read_lines(process: subprocess.Popen[str], n: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(n)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@on_posix
def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    with running(RECORD_FOR_EVER, str(path)) as process:
        acknowledged = read_lines(process, 100)
        process.send_signal(signal.SIGKILL)
        assert process.stdout is not None
        acknowledged += [line for line in process.stdout.read().split("\n") if len(line) == len(acknowledged[0])]

    store = open_sqlite_store(path)
    assert len(store.answered([CallId(call_id) for call_id in acknowledged])) == len(acknowledged) >= 100
    store.close()


@on_posix
def test_a_reader_sees_a_growing_run_while_it_is_written(path: Path) -> None:
    with running(RECORD_FOR_EVER, str(path)) as process:
        read_lines(process, 1)
        reader = open_sqlite_store(path, read_only=True)
        counts = []
        for _ in range(5):
            acknowledged = read_lines(process, 10)
            assert len(reader.answered([CallId(call_id) for call_id in acknowledged])) == 10
            counts.append(sum(1 for exchange in reader.exchanges() if exchange.completions))
        reader.close()

    # What was acknowledged before a count is in it; what came since may be, too.
    assert counts == sorted(counts)
    assert all(count >= 11 + 10 * place for place, count in enumerate(counts))


@on_posix
def test_a_second_writer_is_refused_until_the_first_has_died(path: Path) -> None:
    with running(RECORD_FOR_EVER, str(path)) as process:
        read_lines(process, 1)
        holder = re.escape(f"process {process.pid} on host {socket.gethostname()!r}")
        with pytest.raises(RunFolderError, match=f"is being written by {holder}.*Wait until"):
            open_sqlite_store(path)

    open_sqlite_store(path).close()


def test_a_second_writer_in_the_same_process_is_refused(path: Path) -> None:
    first = open_sqlite_store(path)

    with pytest.raises(RunFolderError, match=f"process {os.getpid()} "):
        open_sqlite_store(path)

    first.close()


def test_a_lock_file_left_behind_does_not_lock(path: Path) -> None:
    path.with_name("store.sqlite.lock").write_text('{"pid": 1, "host": "elsewhere"}')

    store = open_sqlite_store(path)

    assert list(store.items()) == []
    store.close()


@on_posix
def test_a_write_without_space_is_told_and_what_was_acknowledged_is_safe(path: Path) -> None:
    with running(FILL_THE_DISK, str(path)) as process:
        output = process.communicate(timeout=10)[0].splitlines()
        assert process.returncode == 0
    acknowledged, error = output[:-1], output[-1]

    store = open_sqlite_store(path)

    assert "could not be written" in error
    assert 0 < len(acknowledged) == len(store.answered([CallId(call_id) for call_id in acknowledged]))
    store.close()


@contextmanager
def published_store() -> Iterator[Path]:
    """A closed store with one item, in a folder that any user may reach."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        store = open_sqlite_store(folder / "store.sqlite")
        store.keep_items([make_item("a")])
        store.close()
        yield folder / "store.sqlite"
        folder.chmod(0o755)


@on_posix
def test_a_store_is_read_where_nothing_may_be_written() -> None:
    with (
        published_store() as path,
        running(READ_WITHOUT_WRITING, str(path), "store.sqlite-wal", "store.sqlite-shm") as p,
    ):
        count, refusal = p.communicate(timeout=10)[0].splitlines()

    assert count == "1"
    assert "cannot be made (Permission denied)" in refusal


@on_posix
def test_rows_that_cannot_be_read_where_nothing_may_be_written_are_not_left_out() -> None:
    with published_store() as path:
        store = open_sqlite_store(path)
        store.keep_items([make_item("a"), make_item("b")])
        log = path.with_name("store.sqlite-wal").read_bytes()
        store.close()
        path.with_name("store.sqlite-wal").write_bytes(log)  # as a copy of a folder in use has it
        with running(READ_WITHOUT_WRITING, str(path), "store.sqlite-shm") as process:
            output = process.communicate(timeout=10)[0]

    assert "still in 'store.sqlite-wal'" in output
    assert "Copy the folder" in output


def test_reading_goes_on_beside_a_writer(path: Path) -> None:
    writer = open_sqlite_store(path)
    reader = open_sqlite_store(path, read_only=True)

    writer.keep_items([make_item("a")])

    assert list(reader.items()) == [make_item("a")]
    reader.close()
    writer.close()


def test_a_store_opened_for_reading_is_not_written(path: Path) -> None:
    open_sqlite_store(path).close()
    reader = open_sqlite_store(path, read_only=True)

    assert isinstance(reader.record([make_exchange()]).exception(), RunFolderError)
    assert isinstance(reader.keep(DESIGN, [make_judgment()]).exception(), RunFolderError)
    with pytest.raises(RunFolderError, match="opened for reading only"):
        reader.keep_items([make_item("a")])
    reader.close()


def test_a_store_that_is_not_there_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(RunFolderError, match="There is no store"):
        open_sqlite_store(path, read_only=True)

    assert list(path.parent.iterdir()) == []


def test_an_empty_file_has_nothing_to_read(path: Path) -> None:
    path.touch()

    with pytest.raises(RunFolderError, match="nothing has been collected"):
        open_sqlite_store(path, read_only=True)


@pytest.mark.parametrize("read_only", [True, False])
def test_garbage_is_a_run_folder_error(path: Path, read_only: bool) -> None:
    path.write_bytes(bytes(range(256)) * 100)

    with pytest.raises(RunFolderError, match=r"could not be opened: .*not a store of venire or is damaged"):
        open_sqlite_store(path, read_only=read_only)


def test_damage_inside_the_file_is_a_run_folder_error(path: Path) -> None:
    store = open_sqlite_store(path)
    store.keep_items(make_item(f"{n}", "x" * 1000) for n in range(200))
    store.close()
    content = bytearray(path.read_bytes())
    content[20 * 4096 :] = b"\xff" * (len(content) - 20 * 4096)
    path.write_bytes(content)

    reader = open_sqlite_store(path, read_only=True)

    with pytest.raises(RunFolderError):
        list(reader.items())
    reader.close()


def test_a_folder_that_is_not_there_is_a_run_folder_error(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"lock file .* cannot be made"):
        open_sqlite_store(tmp_path / "none" / "store.sqlite")


def test_a_folder_in_the_place_of_the_store_is_a_run_folder_error(path: Path) -> None:
    path.mkdir()

    with pytest.raises(RunFolderError, match="could not be opened"):
        open_sqlite_store(path)


def test_odd_folder_names_are_no_obstacle(tmp_path: Path) -> None:
    folder = tmp_path / "100% ?mode=x#y 日本"
    folder.mkdir()

    store = open_sqlite_store(folder / "store.sqlite")
    store.keep_items([make_item("a")])

    assert list(store.items()) == [make_item("a")]
    store.close()
