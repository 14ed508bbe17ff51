"""A checkpoint that goes on with other text stays what it was to transformers: family, config, numbers."""

import json

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer as Library
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

from wordworth.models.load import load
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.corpus.token_store import TokenStore, Vocabulary, build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.pretrain_and_adapt import adapt

transformers = pytest.importorskip("transformers")

TEXT = "The fox sees the dog. It hears the king today. He likes what the fox sees, and the dog likes him."
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
STILL = ("adapt", ["batch_size=4", "lengths=32,32", "learning_rate=1e-12", "dropout=0"])


def byte_pairs(folder):
    """A tokenizer as RoBERTa's, of this text."""
    library = Library(models.BPE(unk_token="<unk>"))  # noqa: S106 - a piece
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    library.train_from_iterator(
        [TEXT], trainers.BpeTrainer(vocab_size=320, special_tokens=special, initial_alphabet=alphabet)
    )
    library.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    roles = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>", "mask": "<mask>"}
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=library, **{f"{role}_token": token for role, token in roles.items()}
    )
    made.save_pretrained(folder)
    return len(made)


def word_pieces(folder):
    """A tokenizer as BERT's, of this text."""
    words = sorted({*TEXT.lower().replace(".", " .").replace(",", " ,").split()})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return len(pieces)


def roberta(folder, kind="Roberta"):
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=byte_pairs(folder), max_position_embeddings=66, type_vocab_size=1, pad_token_id=1, **SIZES
    )
    getattr(transformers, f"{kind}ForMaskedLM")(config).save_pretrained(folder)


def distilbert(folder):
    sizes = {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64, "max_position_embeddings": 64}
    transformers.DistilBertForMaskedLM(
        transformers.DistilBertConfig(vocab_size=word_pieces(folder), **sizes)
    ).save_pretrained(folder)


MAKERS = {"roberta": roberta, "xlm-roberta": lambda folder: roberta(folder, "XLMRoberta"), "distilbert": distilbert}


@pytest.fixture(params=MAKERS)
def given(request, tmp_path):
    """A small model of each family, its weights drawn, and text for it."""
    torch.manual_seed(0)
    folder = tmp_path / "given"
    folder.mkdir()
    MAKERS[request.param](folder)
    (tmp_path / "notes.txt").write_text("\n\n".join([TEXT] * 8))
    return folder, tmp_path / "notes.txt"


def logits(folder):
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokens = transformers.AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
    with torch.no_grad():
        return model(**tokens).logits.numpy()


def test_a_model_of_another_family_stays_of_it(given, tmp_path):
    folder, notes = given
    adapt(str(folder), [notes], out=tmp_path / "new", recipe=STILL, steps=1)
    config = json.loads((tmp_path / "new" / "config.json").read_text())
    was = json.loads((folder / "config.json").read_text())
    same = ("model_type", "architectures", "pad_token_id", "max_position_embeddings")
    assert {name: config[name] for name in same} == {name: was[name] for name in same}
    assert np.abs(logits(tmp_path / "new") - logits(folder)).max() < 1e-5
    ours = [load(str(place)).embed([TEXT]) for place in (folder, tmp_path / "new")]
    assert np.abs(ours[0].vectors - ours[1].vectors).max() < 1e-5


def test_text_in_byte_pairs_is_what_the_whole_document_would_be(tmp_path):
    byte_pairs(tmp_path)
    (tmp_path / "notes.txt").write_text(TEXT)
    tokenizer = Tokenizer.read(tmp_path)
    build_store(tmp_path / "notes.txt", tokenizer, tmp_path / "store", CorpusSettings(processes=1))
    ids = TokenStore.open(tmp_path / "store").ids
    assert list(ids) == list(tokenizer.ids([TEXT], special=False)[0])
    starts = Vocabulary.of(tokenizer).word_starts.find(np.array(ids))
    assert starts.sum() == len(TEXT.split()) + TEXT.count(".") + TEXT.count(",")
