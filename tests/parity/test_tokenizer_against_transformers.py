"""Ids and offsets beside transformers' (figures made with transformers 5.23, tokenizers 0.23)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.text.families import byte_pairs
from tests.text.toys import SMALL, drawn, write_vocabulary

from wordworth.errors import BadInput
from wordworth.sources import resolve
from wordworth.text.tokenizer import Tokenizer

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]  # the peer's own warnings are not ours to mend

TEXTS = ["", " ", "Jim [MASK] was", "don't naïve 한국어 日本語 😀", *drawn(2_000)]


def assert_equal_to_transformers(folder: Path, kind: str) -> None:
    transformers = pytest.importorskip("transformers")
    theirs = getattr(transformers, kind).from_pretrained(str(folder))
    ours = Tokenizer.read(folder)
    for second in (None, TEXTS[::-1]):
        expected = theirs(TEXTS, second, return_offsets_mapping=True, return_token_type_ids=True)
        for place, tokens in enumerate(ours.encode(TEXTS, second)):
            assert tokens.ids.tolist() == expected["input_ids"][place], ascii(TEXTS[place])
            assert tokens.offsets.tolist() == [list(span) for span in expected["offset_mapping"][place]]
            assert tokens.segments.tolist() == expected["token_type_ids"][place]


def test_minilm_reads_as_bert_tokenizer_does() -> None:
    try:
        folder = resolve("minilm").folder
    except BadInput as absent:
        pytest.skip(str(absent))
    assert_equal_to_transformers(folder, "AutoTokenizer")


@pytest.mark.parametrize("lowercase", ["true", "false"])
def test_a_bare_vocabulary_reads_as_bert_tokenizer_does(tmp_path: Path, lowercase: str) -> None:
    write_vocabulary(tmp_path, SMALL)
    (tmp_path / "tokenizer_config.json").write_text(f'{{"do_lower_case": {lowercase}}}')
    assert_equal_to_transformers(tmp_path, "BertTokenizer")


def test_byte_pairs_read_as_roberta_tokenizer_does(tmp_path: Path) -> None:
    byte_pairs(tmp_path, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    assert_equal_to_transformers(tmp_path, "RobertaTokenizer")


def test_byte_pairs_read_as_gpt2_tokenizer_does(tmp_path: Path) -> None:
    byte_pairs(tmp_path, ["<|endoftext|>"])
    transformers = pytest.importorskip("transformers")
    theirs = transformers.GPT2Tokenizer.from_pretrained(str(tmp_path))
    for mine, other in zip(Tokenizer.read(tmp_path).ids(TEXTS), theirs(TEXTS)["input_ids"], strict=True):
        assert np.array_equal(mine, other)
