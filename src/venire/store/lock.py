"""One writer at a time: a lock that the kernel lets go of when its holder dies."""

import json
import os
import socket
import sys
from pathlib import Path

from venire.errors import RunFolderError

if sys.platform == "win32":
    import msvcrt

    # Windows locks are mandatory: the byte lies far behind the text, so that the holder's name can be read.
    _LOCKED_BYTE = 1 << 30

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """The right to write a store. The lock file stays behind when it is released: only the lock on it counts."""

    def __init__(self, store: Path) -> None:
        """Take the lock.

        Raises:
            RunFolderError: another process holds it, or the file beside the store cannot be made.
        """
        self._path = store.with_name(f"{store.name}.lock")
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise RunFolderError(
                f"The lock file {str(self._path)!r} cannot be made ({error.strerror}); a run folder that is written "
                "to needs one. Check the folder and its permissions, or open the run for reading only."
            ) from error
        try:
            self._acquire()
        except BaseException:
            os.close(self._descriptor)
            raise

    def release(self) -> None:
        """Let the next writer in."""
        os.close(self._descriptor)

    def _acquire(self) -> None:
        try:
            _try_lock(self._descriptor)
        except (BlockingIOError, PermissionError) as error:
            raise RunFolderError(
                f"The run folder {str(self._path.parent)!r} is being written by {self._holder()}; one run at a time "
                "may write to it. Wait until that run ends, stop it, or name another folder; reading is possible now."
            ) from error
        except OSError as error:
            raise RunFolderError(
                f"The file {str(self._path)!r} cannot be locked ({error.strerror}); two runs in one folder would "
                "damage it. Put the run folder on a local disk."
            ) from error
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())

    def _holder(self) -> str:
        return _written_in(self._descriptor, self._path)


def writer_of(store: Path) -> str:
    """Who is writing a store, in words; empty where nobody is. The lock file is neither made nor changed.

    The lock is tried for a moment: a run that starts in this very moment is refused.
    """
    path = store.with_name(f"{store.name}.lock")
    try:
        descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except OSError:
        return ""
    try:
        _try_lock(descriptor)
    except (BlockingIOError, PermissionError):
        return _written_in(descriptor, path)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return ""


def _written_in(descriptor: int, path: Path) -> str:
    try:
        holder = json.loads(os.pread(descriptor, 1024, 0) if hasattr(os, "pread") else path.read_bytes())
        return f"process {holder['pid']} on host {holder['host']!r}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process (it has not said which)"
