"""Sentence embeddings with all-MiniLM-L6-v2 in numpy alone: no torch, no tokenizers, no network."""

from venire.providers.minilm.encoder import Encoder, find_model_folder
from venire.providers.minilm.sentences import split_sentences

__all__ = ["Encoder", "find_model_folder", "split_sentences"]
