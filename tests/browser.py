"""A real browser for tests: Chromium without a window, driven over its own debugging protocol."""

import asyncio
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 60


def find_browser() -> str:
    """The browser's command; the test is skipped where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    return found


@contextmanager
def _started(command: str, width: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run"),
            *(f"--user-data-dir={profile}", f"--window-size={width},900", "about:blank"),
        ]
        browser = subprocess.Popen([command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            assert browser.stderr is not None
            for line in browser.stderr:
                if "DevTools listening on " in line:
                    yield line.split("DevTools listening on ")[1].strip()
                    return
            raise AssertionError("the browser did not start")
        finally:
            browser.kill()
            browser.communicate()


class Page:
    """What a page did when it was opened, and what its scripts say when they are asked."""

    def __init__(self, answers: Sequence[Any], requests: Sequence[str], complaints: Sequence[str]) -> None:
        self.answers = answers
        """Of the expressions, in order."""
        self.requests = requests
        """Addresses that the page asked for, its own file left out."""
        self.complaints = complaints
        """Uncaught exceptions."""


def look_at(page: Path, expressions: Sequence[str], *, width: int = 1280) -> Page:
    """Open a file in the browser and evaluate expressions in it, one after another."""
    with _started(find_browser(), width) as address:
        return asyncio.run(asyncio.wait_for(_look(address, page, expressions, width), SECONDS))


async def _look(address: str, page: Path, expressions: Sequence[str], width: int) -> Page:
    requests: list[str] = []
    complaints: list[str] = []
    async with aiohttp.ClientSession() as client, client.ws_connect(address, max_msg_size=0) as socket:
        numbers = iter(range(1, 10_000))
        session: dict[str, str] = {}

        async def call(method: str, wait_for: str = "", **params: object) -> Any:
            number, result, seen = next(numbers), None, not wait_for
            await socket.send_json({"id": number, "method": method, "params": params, **session})
            while result is None or not seen:
                message = json.loads((await socket.receive()).data)
                if message.get("method") == "Network.requestWillBeSent":
                    requests.append(message["params"]["request"]["url"])
                if message.get("method") == "Runtime.exceptionThrown":
                    complaints.append(json.dumps(message["params"]["exceptionDetails"]))
                seen = seen or message.get("method") == wait_for
                if message.get("id") == number:
                    assert "error" not in message, message
                    result = message["result"]
            return result

        target = await call("Target.createTarget", url="about:blank")
        attached = await call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        session["sessionId"] = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            await call(f"{domain}.enable")
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        await call("Emulation.setDeviceMetricsOverride", **metrics)
        await call("Page.navigate", wait_for="Page.loadEventFired", url=page.resolve().as_uri())
        answers = []
        for expression in expressions:
            found = await call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
            answers.append(found["result"].get("value"))
    return Page(answers, [url for url in requests if not url.startswith("file:")], complaints)
