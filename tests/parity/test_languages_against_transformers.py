"""The study of languages on folders of XLM-R and multilingual BERT as transformers writes them."""

import numpy as np
import pytest
import torch
from tests.studies.languages.conftest import rows
from tokenizers import Tokenizer as Library
from tokenizers import models, pre_tokenizers, processors, trainers

import wordworth as ww
from wordworth.models.load import load

transformers = pytest.importorskip("transformers")
TEXTS = [row["text"] for row in rows()]
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}


def xlm_r(folder):
    """A vocabulary of unigrams with SentencePiece's mark of a space, of texts in the first two languages."""
    library = Library(models.Unigram())
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    known = [row["text"] for row in rows() if row["language"] != "cc"]
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>")  # noqa: S106 - a piece
    library.train_from_iterator(known, trainer)
    library.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    roles = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>", "mask": "<mask>"}
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=library, **{f"{role}_token": token for role, token in roles.items()}
    )
    made.save_pretrained(folder)
    config = transformers.XLMRobertaConfig(
        vocab_size=len(made), max_position_embeddings=66, type_vocab_size=1, pad_token_id=1, **SIZES
    )
    transformers.XLMRobertaModel(config).save_pretrained(folder)


def multilingual_bert(folder):
    """A cased vocabulary, as that of bert-base-multilingual-cased: no accents are stripped, ideographs stand apart."""
    words = sorted({word for row in rows() if row["language"] != "cc" for word in row["text"].split()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"0123456789我看了好坏", *words]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder)
    config = transformers.BertConfig(vocab_size=len(pieces), max_position_embeddings=64, **SIZES)
    transformers.BertModel(config).save_pretrained(folder)


@pytest.mark.parametrize(("make", "unknown"), [(xlm_r, True), (multilingual_bert, False)])
def test_folders_of_multilingual_encoders_are_studied_with_transformers_own_pieces_and_states(tmp_path, make, unknown):
    torch.manual_seed(0)
    folder = tmp_path / "model"
    folder.mkdir()
    make(folder)
    record = ww.study_languages(rows(), model=str(folder), draws=100)
    pieces = record.table("pieces").set_index("language")
    theirs = transformers.AutoTokenizer.from_pretrained(folder)
    for language in ("aa", "bb", "cc"):
        own = [row["text"] for row in rows() if row["language"] == language]
        counted = sum(len(ids) for ids in theirs(own, add_special_tokens=False).input_ids)
        assert pieces.loc[language, "per_word"] * pieces.loc[language, "words"] == pytest.approx(counted)
    assert (pieces.loc["cc", "unknown"] > 0) == unknown
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        states = model(**theirs(TEXTS[:1], return_tensors="pt"), output_hidden_states=True).hidden_states
    means = np.stack([state[0].mean(0).numpy() for state in states])
    assert np.abs(load(str(folder)).pooled_layers(TEXTS[:1])[0] - means).max() < 1e-4
