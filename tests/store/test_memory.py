"""The store in memory keeps the contract."""

from pathlib import Path

from venire.store.memory import MemoryStore
from venire.testing.store_contract import StoreContract


class TestMemoryStore(StoreContract):
    outlives_its_process = False

    def make_store(self, folder: Path) -> MemoryStore:
        return MemoryStore()
