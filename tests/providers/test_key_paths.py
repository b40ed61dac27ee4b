"""F44: a key that an endpoint echoes in every form is in nothing that a run says, logs, keeps or dies of."""

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.cli.running import ITEMS, api_design, venire, write_inputs
from tests.providers.building import judge, prompt
from tests.providers.loopback import Answer, LoopbackServer
from tests.providers.test_anthropic import left_behind
from venire import ajudge
from venire.calling.events import CallEvent
from venire.calling.exchange import RoundTrip, deadline_of, send_once
from venire.calling.recorder import Recorder
from venire.cli.progress import Progress
from venire.domain.call import Call
from venire.domain.finding import Undefined
from venire.domain.identity import ItemId, JudgeId
from venire.domain.item import Subject
from venire.errors import UsageError
from venire.providers.opening import open_provider
from venire.store.memory import MemoryStore

KEY = "sk-test/0123+456789abcdef=SECRET"
FORMS = {
    "whole": KEY,
    "in a query": f"https://api.example/v1/models/m:generate?key={quote(KEY, safe='')}&alt=json",
    "as basic": f"Basic {base64.b64encode(f'user:{KEY}'.encode()).decode()}",
    "tail": f"...{KEY[-9:]}",
    "head": f"{KEY[:20]}***",
}
LEAKS = (KEY[-8:], KEY[8:22], quote(KEY, safe="")[-8:], base64.b64encode(f"user:{KEY}".encode()).decode()[12:30])
ECHO = " ".join(FORMS.values())
SUBJECT = Subject(item_id=ItemId("i"), responses=(0,))


def leaks_in(text: str) -> list[str]:
    return [leak for leak in LEAKS if leak in text]


def echo(_: dict[str, Any]) -> str:
    """A ballot that can be read, with the key beside the verdict."""
    return json.dumps({"correct": "correct", "note": ECHO})


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(words=echo) as running:
        yield running


def faulty(server: LoopbackServer) -> None:
    """Faults before the first answers, each with the key in its body and its headers."""
    error = {"error": {"message": f"{'x' * 470} {ECHO}", "code": ECHO}}
    server.then(
        Answer(status=529, body=error, headers={"X-Echo": ECHO, "Retry-After": "0"}),
        Answer(text=f"<html>{ECHO}</html>"),
        Answer(body={"error": {"code": 429, "message": ECHO}}),
        Answer(body={"choices": [{"message": ECHO}]}),
    )


def test_a_run_with_its_folder_its_output_and_show_tells_no_key(server: LoopbackServer, tmp_path: Path) -> None:
    faulty(server)
    items, design = write_inputs(tmp_path, api_design(server.base_url, api_key_env="JUDGE_KEY"), ITEMS)

    run = venire("judge", items, "--design", design, "--out", tmp_path / "run", "--json", env={"JUDGE_KEY": KEY})
    shown = [venire("show", tmp_path / "run", "q1"), venire("show", tmp_path / "run", "q1", "--json")]

    assert run.returncode == 0, run.stderr
    said = run.stdout + run.stderr + "".join(one.stdout + one.stderr for one in shown)
    kept = b"".join(left_behind(tmp_path / "run")).decode("utf-8", "replace")
    assert ("[redacted]" in shown[0].stdout, "api.example/v1/models" in kept) == (True, True)
    assert leaks_in(said) + leaks_in(kept) == []


@pytest.mark.parametrize("status", [401, 404, 400])
def test_a_judge_that_cannot_be_asked_dies_without_its_key(server: LoopbackServer, status: int, tmp_path: Path) -> None:
    server.then(*[Answer(status=status, body={"error": {"message": ECHO}})] * 3)
    items, design = write_inputs(tmp_path, api_design(server.base_url, api_key_env="JUDGE_KEY"), ITEMS)

    run = venire("judge", items, "--design", design, "--out", tmp_path / "run", env={"JUDGE_KEY": KEY})

    assert (run.returncode, "[redacted]" in run.stderr) == (2, True)
    assert leaks_in(run.stderr + run.stdout) == []


def test_nothing_is_logged_of_a_key_at_any_level(
    server: LoopbackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faulty(server)
    items, design = write_inputs(tmp_path, api_design(server.base_url, api_key_env="JUDGE_KEY"), ITEMS)
    told: list[CallEvent] = []

    with caplog.at_level(logging.DEBUG):
        judging = ajudge(items, design, out=tmp_path / "run", environment={"JUDGE_KEY": KEY}, listen=told.append)
        asyncio.run(judging, debug=True)

    logged = caplog.text + "".join(f"{record.__dict__!r}" for record in caplog.records)
    assert len([event for event in told if event.kind == "retried"]) == 4
    assert leaks_in(logged) + leaks_in(repr(told)) == []


def test_the_progress_line_and_the_last_reason_tell_no_key(
    server: LoopbackServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty(server)
    items, design = write_inputs(tmp_path, api_design(server.base_url, api_key_env="JUDGE_KEY"), ITEMS)
    progress = Progress(10, {JudgeId("remote"): Undefined("none")}, clock=iter(range(0, 10_000, 11)).__next__)

    asyncio.run(ajudge(items, design, environment={"JUDGE_KEY": KEY}, listen=progress))
    progress.finish()

    said = capsys.readouterr().err
    assert ("calls" in said, leaks_in(said + progress.last_failure)) == (True, [])


def test_a_traceback_with_everything_that_stands_behind_it_tells_no_key(server: LoopbackServer, tmp_path: Path) -> None:
    server.then(Answer(status=401, body={"error": {"message": ECHO}}, headers={"WWW-Authenticate": ECHO}))
    items, design = write_inputs(tmp_path, api_design(server.base_url, api_key_env="JUDGE_KEY"), ITEMS)

    with pytest.raises(UsageError) as caught:
        asyncio.run(ajudge(items, design, environment={"JUDGE_KEY": KEY}))

    assert [part for part in everything_behind(caught.value) if leaks_in(part)] == []


@pytest.mark.parametrize("fault", ["reset", "cut", "drip", "html", "401"])
def test_no_exception_behind_a_failure_holds_the_key(server: LoopbackServer, fault: str, tmp_path: Path) -> None:
    failure = sent_once(server.at(fault)).failure

    assert failure is not None
    assert (failure.__context__, failure.__cause__) == (None, None)
    assert [part for part in everything_behind(failure) if leaks_in(part)] == []


def sent_once(base_url: str) -> RoundTrip:
    asked = judge("openai_compatible", model="m", base_url=base_url, api_key_env="JUDGE_KEY", timeout_s=0.2)
    call = Call(request=prompt(("user", "hello")), judge_id=asked.id, subject=SUBJECT, shown=(0,))

    async def main() -> RoundTrip:
        provider = open_provider(asked, environment={"JUDGE_KEY": KEY})
        try:
            return await send_once([call], asked, provider, Recorder(MemoryStore()), deadline_of(asked))
        finally:
            await provider.close()

    return asyncio.run(main())


def everything_behind(error: BaseException) -> Iterator[str]:
    """The traceback as a crash reporter writes it: with locals, and also with what `from None` keeps from view."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
        own_frames = traceback.TracebackException.from_exception(one, capture_locals=True)
        # The test itself holds the key; so does the environment that was handed in.
        frames = [frame for frame in own_frames.stack if "/tests/" not in frame.filename]
        yield repr(one) + repr(one.args)
        for frame in frames:
            yield "".join(f"{name}={value}\n" for name, value in (frame.locals or {}).items() if name != "environment")
