"""Keys: which judges share a provider's limits, because they are asked under the same key at the same address."""

from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from venire.calling.gate import Gate
from venire.calling.retry import RetryPolicy
from venire.domain.identity import JudgeId
from venire.domain.panel import Judge


def share_gates(judges: Iterable[Judge], policy: RetryPolicy, is_ending: Callable[[], bool]) -> Mapping[JudgeId, Gate]:
    """One gate for the judges of each provider key."""
    by_key: dict[object, list[Judge]] = {}
    for judge in judges:
        by_key.setdefault(_key(judge), []).append(judge)
    gates = [(sharing, Gate(sharing, policy, is_ending)) for sharing in by_key.values()]
    return {judge.id: gate for sharing, gate in gates for judge in sharing}


def _key(judge: Judge) -> object:
    if judge.base_url is None and judge.api_key_env is None and not judge.headers:
        return judge.id  # it runs in this process, or somebody passed its provider in
    host = urlsplit(judge.base_url or "").netloc
    # Where no variable is named, the key may stand in a header, by the name of its variable.
    return (judge.provider, host, judge.api_key_env, () if judge.api_key_env else judge.headers)
