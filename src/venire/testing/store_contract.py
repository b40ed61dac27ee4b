"""What every store must do, as tests: subclass StoreContract, say how a store is made, and run pytest.

    from venire.testing.store_contract import StoreContract

    class TestMyStore(StoreContract):
        def make_store(self, folder: Path) -> Store:
            return MyStore(folder)

Call `pytest.register_assert_rewrite("venire.testing.store_contract")` before the import to see the values that differ.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from venire.domain.annotation import Annotation
from venire.domain.call import (
    Alternative,
    AnswerFormat,
    Call,
    Choice,
    Completion,
    Exchange,
    ExchangeError,
    Request,
    Token,
    Usage,
    without_words,
)
from venire.domain.identity import CallId, CriterionId, DesignId, ItemId, JudgeId
from venire.domain.item import Item, Message, Response, Subject, outline
from venire.domain.judgment import Abstention, Distribution, Failure, Judgment, Label, LabelProbability, Outcome
from venire.domain.outcomes import Outcomes, outcomes_of
from venire.errors import UsageError
from venire.ports import Store

DESIGN = DesignId("sha256:design")
OTHER_DESIGN = DesignId("sha256:other")
STRANGE_TEXTS = (
    "",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udcff tail",
    "\ud83d\ude00",
    "日本語 🙂",
    'it\'s "so"; --\r\n\t\\u0000',
)
"""Texts that some layer of a store is known to cut, refuse or change."""


def make_exchange(text: str = "a prompt", *, answer: str | None = "good", sample: int = 0) -> Exchange:
    """A round trip for one call, answered, or failed where there is no answer."""
    request = Request(
        provider="openai",
        model="m",
        base_url=None,
        messages=(Message(role="user", content=text),),
        temperature=0.0,
        max_tokens=100,
        format=AnswerFormat(kind="one_of", words=("good", "bad")),
        parameters=(("seed", 7), ("stream", False), ("top_p", 1.0), ("user", None)),
    )
    subject = Subject(item_id=ItemId("i"), responses=(0,))
    call = Call(request=request, judge_id=JudgeId("j"), subject=subject, shown=(0,), sample=sample)
    failed = ExchangeError(kind="server", message="overloaded", status=529)
    return Exchange(
        request=request,
        judge_id=call.judge_id,
        call_ids=(call.id,),
        completions=() if answer is None else (make_completion(call.id, answer),),
        usage=Usage(input_tokens=11, output_tokens=3),
        latency_s=0.25,
        started_at="2026-01-02T03:04:05.678Z",
        served_model="m-2026",
        raw='{"choices": []}',
        error=failed if answer is None else None,
    )


def make_completion(call_id: CallId, text: str) -> Completion:
    """The answer to a call."""
    return Completion(call_id=call_id, choice=Choice(text=text, finish_reason="stop", reasoning="since"))


def make_item(item_id: str, text: str = "a response") -> Item:
    """An item with every field filled."""
    return Item(
        id=ItemId(item_id),
        prompt=(Message(role="system", content="be brief"), Message(role="user", content="why?")),
        responses=(Response(text=text, system="one"), Response(text=None), Response(text="", system="three")),
        reference=("because", "so"),
        context="some context",
        category="reasoning",
        group="a group",
    )


def make_judgment(item_id: str = "i", outcome: Outcome | None = None, *, judge_id: str = "j") -> Judgment:
    """A judgment of an item's first response."""
    return Judgment(
        subject=Subject(item_id=ItemId(item_id), responses=(0,)),
        criterion_id=CriterionId("quality"),
        judge_id=JudgeId(judge_id),
        shown=(0,),
        sample=0,
        attempt=0,
        call_id=CallId("sha256:call"),
        outcome=outcome or Label(value="good"),
        step="json",
        reader_version=1,
    )


def _by_subject(outcomes: Outcomes) -> dict[tuple[ItemId, tuple[int, ...]], str]:
    """What was read of every subject, with the types of its values."""
    places = zip(outcomes.item_ids, outcomes.responses, outcomes.numbers, strict=True)
    return {(item_id, responses): repr(outcomes.kinds[number]) for item_id, responses, number in places}


class StoreContract:
    """Tests of one kind of store."""

    outlives_its_process = True
    """Whether what was kept is there when the same folder is opened again."""

    def make_store(self, folder: Path) -> Store:
        """Open a store in a folder, for writing."""
        raise NotImplementedError("Say in a subclass how the store is made")

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """A new store, closed after the test."""
        store = self.make_store(tmp_path)
        yield store
        store.close()

    def test_it_is_a_store(self, store: Store) -> None:
        assert isinstance(store, Store)

    # What was asked and answered

    def test_an_exchange_comes_back_without_its_raw_body(self, store: Store) -> None:
        exchange = make_exchange()

        store.record([exchange]).result()

        assert list(store.exchanges()) == [replace(exchange, raw="")]

    def test_a_failed_exchange_comes_back(self, store: Store) -> None:
        exchange = make_exchange(answer=None)

        store.record([exchange]).result()

        assert list(store.exchanges()) == [replace(exchange, raw="")]

    def test_what_a_done_future_promised_is_there_after_reopening(self, tmp_path: Path) -> None:
        if not self.outlives_its_process:
            pytest.skip("this store ends with its process")
        exchange, first = make_exchange(), self.make_store(tmp_path)
        first.record([exchange]).result()
        first.keep_items([make_item("i")])
        first.keep(DESIGN, [make_judgment()]).result()
        first.close()

        again = self.make_store(tmp_path)

        assert dict(again.answered(exchange.call_ids)) == {exchange.call_ids[0]: exchange.completions[0]}
        assert list(again.judgments(DESIGN)) == [make_judgment()]
        again.close()

    def test_exchanges_go_on_in_order_after_reopening(self, tmp_path: Path) -> None:
        if not self.outlives_its_process:
            pytest.skip("this store ends with its process")
        for text in ("b", "a", "c"):
            store = self.make_store(tmp_path)
            store.record([make_exchange(text)]).result()
            store.close()

        store = self.make_store(tmp_path)

        assert [exchange.request.messages[0].content for exchange in store.exchanges()] == ["b", "a", "c"]
        store.close()

    def test_the_first_completion_of_a_call_is_the_answer(self, store: Store) -> None:
        first, second = make_exchange(answer="good"), make_exchange(answer="bad")

        store.record([first]).result()
        store.record([second]).result()

        assert dict(store.answered(first.call_ids)) == {first.call_ids[0]: first.completions[0]}

    def test_the_first_of_two_completions_recorded_together_is_the_answer(self, store: Store) -> None:
        first, second = make_exchange(answer="good"), make_exchange(answer="bad")

        store.record([first, second]).result()

        assert store.answered(first.call_ids)[first.call_ids[0]].choice.text == "good"

    def test_a_second_answer_is_still_a_fact(self, store: Store) -> None:
        """It was billed: the exchange keeps what it brought."""
        exchanges = [make_exchange(answer="good"), make_exchange(answer="bad")]

        store.record(exchanges).result()

        assert list(store.exchanges()) == [replace(exchange, raw="") for exchange in exchanges]

    def test_a_failure_is_not_an_answer(self, store: Store) -> None:
        failed = make_exchange(answer=None)

        store.record([failed]).result()

        assert dict(store.answered(failed.call_ids)) == {}
        assert dict(store.failures(failed.call_ids)) == {failed.call_ids[0]: failed.error}

    @pytest.mark.parametrize("answers", [("good", None), (None, "good")], ids=["answered first", "failed first"])
    def test_an_answered_call_has_no_failure(self, store: Store, answers: tuple[str | None, ...]) -> None:
        exchanges = [make_exchange(answer=answer) for answer in answers]

        store.record(exchanges).result()

        assert dict(store.failures(exchanges[0].call_ids)) == {}
        assert len(store.answered(exchanges[0].call_ids)) == 1

    def test_the_latest_failure_is_told(self, store: Store) -> None:
        latest = ExchangeError(kind="timeout", message="120 s went by")
        failed = make_exchange(answer=None)

        store.record([failed]).result()
        store.record([replace(failed, error=latest)]).result()

        assert dict(store.failures(failed.call_ids)) == {failed.call_ids[0]: latest}

    def test_of_a_partly_answered_exchange_only_the_open_calls_failed(self, store: Store) -> None:
        done, lost = CallId("sha256:done"), CallId("sha256:lost")
        failed = replace(
            make_exchange(answer=None), call_ids=(done, lost), completions=(make_completion(done, "good"),)
        )

        store.record([failed]).result()

        assert list(store.failures([done, lost])) == [lost]
        assert list(store.answered([done, lost])) == [done]

    def test_what_was_asked_is_known_of_answered_and_failed_calls(self, store: Store) -> None:
        exchanges = [make_exchange("one", answer="good"), make_exchange("two", answer=None)]
        store.record(exchanges).result()

        asked = store.asked([*(call_id for one in exchanges for call_id in one.call_ids), CallId("sha256:none")])

        assert dict(asked) == {one.call_ids[0]: one.request for one in exchanges}

    def test_calls_never_asked_are_neither_answered_nor_failed(self, store: Store) -> None:
        assert dict(store.answered([CallId("sha256:none")])) == {}
        assert dict(store.failures([CallId("sha256:none")])) == {}

    def test_thousands_of_ids_may_be_asked_about(self, store: Store) -> None:
        exchanges = [make_exchange(f"prompt {n}", answer=None if n % 2 else "good") for n in range(2_001)]
        call_ids = [exchange.call_ids[0] for exchange in exchanges]
        store.record(exchanges).result()

        strangers = [CallId(f"sha256:{n}") for n in range(40_000)]

        assert list(store.answered([*call_ids, *strangers])) == call_ids[::2]
        assert list(store.failures([*strangers, *call_ids])) == call_ids[1::2]

    def test_no_ids_are_answered_by_nothing(self, store: Store) -> None:
        assert dict(store.answered([])) == {}
        assert dict(store.failures([])) == {}

    def test_recording_nothing_is_done_at_once(self, store: Store) -> None:
        store.record([]).result()

        assert list(store.exchanges()) == []

    @pytest.mark.parametrize("n", [None, 0, 12])
    def test_unknown_usage_is_kept_apart_from_none_used(self, store: Store, n: int | None) -> None:
        usd = None if n is None else float(n)
        usage = Usage(input_tokens=n, output_tokens=n, cached_input_tokens=n, reasoning_tokens=n, reported_usd=usd)

        store.record([replace(make_exchange(), usage=usage)]).result()

        assert repr(next(store.exchanges()).usage) == repr(usage)

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_strange_texts_in_exchanges_come_back(self, store: Store, text: str) -> None:
        call_id = CallId(f"call {text}")
        choice = Choice(text=text, finish_reason="other", reasoning=text)
        odd = replace(
            make_exchange(),
            call_ids=(call_id,),
            completions=(Completion(call_id=call_id, choice=choice),),
            served_model=text,
            adjustments=(text, "the limit is sent otherwise"),
            error=ExchangeError(kind="bad_reply", message=text),
            raw=text,
        )

        store.record([odd]).result()

        assert list(store.exchanges()) == [replace(odd, raw="")]
        assert store.answered([call_id])[call_id].choice == choice

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_a_round_trip_is_told_without_its_words(self, store: Store, text: str) -> None:
        usage = Usage(input_tokens=None, output_tokens=0, cached_input_tokens=2, reported_usd=0.5)
        told = [
            make_exchange(text),
            replace(make_exchange(text, answer=None, sample=1), adjustments=(text,), served_model=text),
            replace(make_exchange("plain", sample=2), usage=usage, served_model=None),
        ]

        store.record(told).result()

        assert list(store.exchanges(words=False)) == [without_words(one) for one in told]

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_a_request_with_strange_text_keeps_its_id(self, store: Store, text: str) -> None:
        exchange = make_exchange(text)

        store.record([exchange]).result()

        assert next(store.exchanges()).request.id == exchange.request.id

    def test_tokens_and_cache_writes_come_back(self, store: Store) -> None:
        others = (Alternative(text=" B", logprob=-0.5), Alternative(text="\udcff", logprob=-99.0))
        tokens = (Token(text="A", logprob=-0.1 - 0.2, alternatives=others), Token(text="", logprob=0.0))
        exchange = make_exchange("one")
        (completion,) = exchange.completions
        spoken = replace(completion, choice=replace(completion.choice, tokens=tokens))
        usage = replace(exchange.usage, cached_input_tokens=0, cache_write_input_tokens=7)

        store.record([replace(exchange, completions=(spoken,), usage=usage)]).result()

        (kept,) = store.exchanges()
        assert (kept.completions, kept.usage) == ((spoken,), usage)

    # What was read

    @pytest.mark.parametrize(
        "outcome",
        [
            Label(value="good"),
            Label(value="1"),
            Label(value=1),
            Label(value=1.0),
            Label(value=0),
            Label(value=-0.5),
            Label(value=0.1 + 0.2),
            Label(value="good", confidence=0.0),
            Label(value="good", confidence=0.7),
            Label(value=1, preference=0.0),
            Label(value="tie", preference=0.5),
            Label(value=3, distribution=Distribution(labels=(), coverage=0.0)),
            Label(
                value=3,
                distribution=Distribution(
                    labels=(
                        LabelProbability(value=3, probability=0.1 + 0.2),
                        LabelProbability(value="3", probability=0.7),
                    ),
                    coverage=0.9,
                ),
            ),
            Abstention(),
            Abstention(reason="no context"),
            Failure(reason="unreadable"),
            Failure(reason="timeout", detail="120 s"),
        ],
        ids=repr,
    )
    def test_an_outcome_comes_back_with_its_types(self, store: Store, outcome: Outcome) -> None:
        store.keep_items([make_item("i")])

        store.keep(DESIGN, [make_judgment(outcome=outcome)]).result()

        assert [repr(judgment.outcome) for judgment in store.judgments(DESIGN)] == [repr(outcome)]

    def test_every_field_of_a_judgment_comes_back(self, store: Store) -> None:
        subject = Subject(item_id=ItemId("i"), responses=(0, 2))
        judgment = replace(
            make_judgment(), subject=subject, shown=(2, 0), sample=3, attempt=1, step="none", reader_version=9
        )
        store.keep_items([make_item("i")])

        store.keep(DESIGN, [judgment]).result()

        assert list(store.judgments(DESIGN)) == [judgment]

    @pytest.mark.parametrize("together", [True, False])
    def test_a_judgment_kept_again_is_replaced(self, store: Store, together: bool) -> None:  # noqa: FBT001
        old, new = make_judgment(outcome=Failure(reason="unreadable")), replace(make_judgment(), reader_version=2)
        store.keep_items([make_item("i")])

        for batch in [[old, new]] if together else [[old], [new]]:
            store.keep(DESIGN, batch).result()

        assert list(store.judgments(DESIGN)) == [new]

    def test_judgments_of_another_design_are_apart(self, store: Store) -> None:
        store.keep_items([make_item("i")])

        store.keep(DESIGN, [make_judgment()]).result()

        assert list(store.judgments(OTHER_DESIGN)) == []

    def test_judgments_come_in_one_order_however_they_were_kept(self, store: Store) -> None:
        """Items as in the run, then responses as numbers, criterion, judge, order shown, sample, attempt."""
        base = make_judgment("z")
        pair = replace(base, subject=Subject(item_id=ItemId("z"), responses=(0, 10)))
        ordered = [
            base,
            replace(base, attempt=1),
            replace(base, sample=2),
            replace(base, sample=10),
            replace(base, judge_id=JudgeId("k")),
            replace(base, criterion_id=CriterionId("style")),
            replace(base, subject=Subject(item_id=ItemId("z"), responses=(0, 2)), shown=(0, 2)),
            replace(base, subject=Subject(item_id=ItemId("z"), responses=(0, 2)), shown=(2, 0)),
            replace(pair, shown=(0, 10)),
            replace(pair, shown=(10, 0)),
            replace(base, subject=Subject(item_id=ItemId("z"), responses=(2,)), shown=(2,)),
            make_judgment("a"),
        ]
        store.keep_items([make_item("z"), make_item("a")])

        store.keep(DESIGN, ordered[::-2]).result()
        store.keep(DESIGN, ordered[::2]).result()
        store.keep(DESIGN, ordered[1::2]).result()

        assert list(store.judgments(DESIGN)) == ordered

    def test_one_items_judgments_can_be_asked_for(self, store: Store) -> None:
        store.keep_items([make_item("a"), make_item("b")])

        store.keep(DESIGN, [make_judgment("a"), make_judgment("b")]).result()

        assert list(store.judgments(DESIGN, ItemId("b"))) == [make_judgment("b")]
        assert list(store.judgments(DESIGN, ItemId("none"))) == []

    def test_judgments_of_items_that_left_the_run_are_not_given(self, store: Store) -> None:
        store.keep_items([make_item("a"), make_item("b")])
        store.keep(DESIGN, [make_judgment("a"), make_judgment("b")]).result()

        store.keep_items([make_item("b")])

        assert list(store.judgments(DESIGN)) == [make_judgment("b")]
        assert list(store.judgments(DESIGN, ItemId("a"))) == []

    def test_judgments_are_there_again_when_their_item_is(self, store: Store) -> None:
        store.keep_items([make_item("a")])
        store.keep(DESIGN, [make_judgment("a")]).result()

        store.keep_items([])
        store.keep_items([make_item("a")])

        assert list(store.judgments(DESIGN)) == [make_judgment("a")]

    def test_outcomes_are_the_judgments_without_how_they_were_read(self, store: Store) -> None:
        bare = Label(value=1.0)
        detailed = replace(bare, confidence=0.5, preference=0.25)
        kept = [
            make_judgment("i", detailed),
            make_judgment("i", Failure(reason="refused", detail="no"), judge_id="k"),
            make_judgment("j", Abstention(reason="no idea")),
            replace(make_judgment("j", Label(value=1)), attempt=1, sample=2, shown=(1, 0)),
        ]
        store.keep_items([make_item("i"), make_item("j")])

        store.keep(DESIGN, kept).result()
        store.keep(OTHER_DESIGN, [make_judgment("i", judge_id="other")]).result()

        found = _by_subject(store.outcomes(DESIGN))
        assert found == _by_subject(outcomes_of(store.judgments(DESIGN)))
        assert repr(Label(value=1.0)) in found[ItemId("i"), (0,)]
        assert repr(Label(value=1)) in found[ItemId("j"), (0,)]

    def test_of_a_run_without_judgments_nothing_was_read(self, store: Store) -> None:
        store.keep_items([make_item("i")])

        assert _by_subject(store.outcomes(DESIGN)) == {}

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_strange_texts_in_outcomes_come_back(self, store: Store, text: str) -> None:
        name = f"strange {text}"
        odd = replace(make_judgment(name, Label(value=text), judge_id=name), criterion_id=CriterionId(name))
        store.keep_items([make_item(name), make_item("plain")])

        store.keep(DESIGN, [odd, make_judgment("plain")]).result()

        assert _by_subject(store.outcomes(DESIGN)) == _by_subject(outcomes_of([odd, make_judgment("plain")]))

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_strange_texts_in_judgments_come_back(self, store: Store, text: str) -> None:
        item_id = f"item {text}"
        judgments = [
            make_judgment(item_id, Label(value=text), judge_id=f"a{text}"),
            make_judgment(item_id, Abstention(reason=text), judge_id=f"b{text}"),
            make_judgment(item_id, Failure(reason="unreadable", detail=text), judge_id=f"c{text}"),
        ]
        store.keep_items([make_item(item_id)])

        store.keep(DESIGN, judgments).result()

        assert {judgment.judge_id: judgment for judgment in store.judgments(DESIGN)} == {
            judgment.judge_id: judgment for judgment in judgments
        }

    # What was judged

    def test_items_keep_their_order_and_every_field(self, store: Store) -> None:
        items = [make_item("c"), make_item("a"), Item(id=ItemId("b"), responses=(Response(text="only"),))]

        store.keep_items(iter(items))

        assert list(store.items()) == items

    def test_new_items_replace_the_old(self, store: Store) -> None:
        store.keep_items([make_item("a"), make_item("b")])

        store.keep_items([make_item("c"), make_item("a", "another text")])

        assert list(store.items()) == [make_item("c"), make_item("a", "another text")]
        assert store.item(ItemId("b")) is None

    def test_items_may_be_made_from_the_stores_own(self, store: Store) -> None:
        store.keep_items([make_item("a"), make_item("b")])

        store.keep_items(item for item in store.items() if item.id == "b")

        assert list(store.items()) == [make_item("b")]

    def test_one_item_is_found_by_its_id(self, store: Store) -> None:
        store.keep_items([make_item("a"), make_item("b")])

        assert store.item(ItemId("b")) == make_item("b")
        assert store.item(ItemId("none")) is None

    def test_an_item_id_given_twice_is_refused_and_nothing_is_changed(self, store: Store) -> None:
        store.keep_items([make_item("a")])

        with pytest.raises(UsageError, match="'b' comes twice"):
            store.keep_items([make_item("b"), make_item("b")])

        assert list(store.items()) == [make_item("a")]

    def test_items_that_end_in_an_error_change_nothing(self, store: Store) -> None:
        def break_off() -> Iterator[Item]:
            yield make_item("b")
            raise FileNotFoundError("the items' own file")

        store.keep_items([make_item("a")])

        with pytest.raises(FileNotFoundError, match="the items' own file"):
            store.keep_items(break_off())

        assert list(store.items()) == [make_item("a")]

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_outlines_are_the_items_without_their_words(self, store: Store, text: str) -> None:
        named = replace(
            make_item(f"i {text}"),
            responses=(Response(text=text, system=text), Response(text=None)),
            category=text,
            group=f"g {text}",
        )
        items = [make_item("first"), named, Item(id=ItemId("bare"), responses=(Response(text="x"),))]

        store.keep_items(items)

        assert list(store.outlines()) == [outline(item) for item in items]

    @pytest.mark.parametrize("text", STRANGE_TEXTS)
    def test_strange_texts_in_items_come_back(self, store: Store, text: str) -> None:
        item = replace(make_item(f"item {text}", text), context=text, reference=(text,), category=text)

        store.keep_items([item])

        assert list(store.items()) == [item]
        assert store.item(item.id) == item

    # What people said

    def test_annotations_keep_their_order_and_types(self, store: Store) -> None:
        subject = Subject(item_id=ItemId("i"), responses=(0, 10))
        annotations = [
            Annotation(subject=subject, criterion_id=CriterionId("quality"), annotator=name, value=value)
            for name, value in (("zoe", 1), ("ann", "1"), ("\ud800", 1.0), ("ann", "tie"))
        ]

        store.keep_annotations(iter(annotations))

        assert repr(list(store.annotations())) == repr(annotations)

    def test_new_annotations_replace_the_old(self, store: Store) -> None:
        subject = Subject(item_id=ItemId("i"), responses=(0,))
        old = Annotation(subject=subject, criterion_id=CriterionId("quality"), annotator="ann", value="good")
        store.keep_annotations([old, old])

        store.keep_annotations([replace(old, value="bad")])

        assert list(store.annotations()) == [replace(old, value="bad")]
