"""Language models saved here and read by transformers, and the reverse: the same logits, likelihoods and gaps."""

import numpy as np
import pytest
import torch
from tests.models.language_models import CONFIGS, made_up, write_language_model
from tests.models.tiny import MODERN_IDS, PIECES, loud_

from wordworth.inference.fill_mask import fill
from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.batch import pack
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.language_model import language_model
from wordworth.models.lm_heads import NextSentenceHead, word_table
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.vocabulary_transfer import with_vocabulary
from wordworth.sources import resolve
from wordworth.text.derived_tokenizers import extend_vocabulary
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer
from wordworth.text.tokens import Tokens

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers

TEXTS = ["the zoo, abs!", "a b c", "yes?", "abababs the."]
CLASSES = {"bert": "BertForMaskedLM", "causal-bert": "BertLMHeadModel", "gpt2": "GPT2LMHeadModel"}


def tokens_of(ids, segments=None):
    nothing = np.zeros(len(ids), np.int64)
    return Tokens(np.array(ids), nothing if segments is None else np.array(segments), np.zeros((len(ids), 2)), nothing)


def theirs(kind, folder):
    model, report = getattr(transformers, CLASSES[kind]).from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    return model.eval()


@pytest.mark.parametrize("kind", list(CLASSES))
def test_transformers_reads_our_folder_and_gives_the_same_logits(kind, tmp_path):
    folder = write_language_model(tmp_path / kind, kind)
    peer, ours = theirs(kind, folder), language_model(folder)
    for tokens in ours.tokenizer.encode(TEXTS):
        with torch.no_grad():
            expected = peer(input_ids=torch.from_numpy(tokens.ids)[None]).logits[0]
            found = ours.head(ours.encoder(pack([tokens])), word_table(ours.encoder))
        assert torch.allclose(found, expected, atol=2e-4, rtol=1e-5)


@pytest.mark.parametrize(
    "kind",
    [
        "BertForPreTraining",
        "RobertaForMaskedLM",
        "DistilBertForMaskedLM",
        "MPNetForMaskedLM",
        "ElectraForMaskedLM",
        "ModernBertForMaskedLM",
        "GPT2LMHeadModel",
    ],
)
def test_we_read_the_folder_of_transformers_and_give_the_same_logits(kind, tmp_path):
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
    small = {
        "BertForPreTraining": shape,
        "RobertaForMaskedLM": {**shape, "pad_token_id": 1, "type_vocab_size": 1, "max_position_embeddings": 26},
        "DistilBertForMaskedLM": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48},
        "MPNetForMaskedLM": {**shape, "max_position_embeddings": 26},
        "ElectraForMaskedLM": {**shape, "embedding_size": 16},
        "ModernBertForMaskedLM": {**shape, "local_attention": 4, **MODERN_IDS},
        "GPT2LMHeadModel": {"n_embd": 32, "n_layer": 2, "n_head": 4, "bos_token_id": 0, "eos_token_id": 0},
    }[kind]
    made = getattr(transformers, kind)
    peer = made(made.config_class(vocab_size=len(PIECES), **small)).eval()
    loud_(peer)
    peer.tie_weights()
    peer.save_pretrained(tmp_path)
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    ours = language_model(tmp_path)
    ids = [2, 9, 31, 14, 3]
    with torch.no_grad():
        answer = peer(input_ids=torch.tensor([ids]))
        expected = answer.prediction_logits[0] if kind == "BertForPreTraining" else answer.logits[0]
        found = ours.head(ours.encoder(pack([tokens_of(ids)])), word_table(ours.encoder))
    assert torch.allclose(found, expected, atol=5e-4, rtol=1e-4)


def test_both_pretraining_heads_go_through_a_folder(tmp_path):
    given = made_up("pretraining")
    nsp = NextSentenceHead(CONFIGS["pretraining"])
    loud_(nsp)
    heads = {**given.heads, "heads.nsp.weight": nsp.weight.data, "heads.nsp.bias": nsp.bias.data}
    whole = Checkpoint(given.model, given.family, given.names, heads, {})
    write_checkpoint(whole, tmp_path, architecture="BertForPreTraining")
    peer, report = transformers.BertForPreTraining.from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    ids, segments = [2, 9, 31, 3, 14, 3], [0, 0, 0, 0, 1, 1]
    with torch.no_grad():
        answer = peer.eval()(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([segments]))
        found = read_checkpoint(tmp_path)
        batch = pack([tokens_of(ids, segments)])
        pooled = found.model.pool(found.model(batch), batch.starts)
        mine = torch.nn.functional.linear(pooled, found.heads["heads.nsp.weight"], found.heads["heads.nsp.bias"])
    assert torch.allclose(mine, answer.seq_relationship_logits, atol=1e-4)


def test_pseudo_log_likelihoods_are_those_of_a_loop_over_transformers(tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    peer, ours = theirs("bert", folder), language_model(folder)
    mask = ours.tokenizer.special_ids["mask"]
    expected = []
    for tokens in ours.tokenizer.encode(TEXTS):
        total = 0.0
        for place in range(1, len(tokens) - 1):
            ids = torch.from_numpy(tokens.ids.copy())[None]
            ids[0, place] = mask
            with torch.no_grad():
                total += peer(input_ids=ids).logits[0, place].log_softmax(-1)[tokens.ids[place]].item()
        expected.append(total)
    assert log_likelihoods(ours, TEXTS).logs == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", ["causal-bert", "gpt2"])
def test_log_likelihoods_are_those_of_transformers(kind, tmp_path):
    folder = write_language_model(tmp_path / kind, kind)
    peer, ours = theirs(kind, folder), language_model(folder)
    expected = []
    for tokens in ours.tokenizer.encode(TEXTS):
        ids = torch.from_numpy(tokens.ids)
        with torch.no_grad():
            logs = peer(input_ids=ids[None]).logits[0].log_softmax(-1)
        expected.append(logs[:-2].gather(1, ids[1:-1, None]).sum().item())
    assert log_likelihoods(ours, TEXTS).logs == pytest.approx(expected, rel=1e-4)


def test_gaps_are_filled_as_by_the_pipeline_of_transformers(tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    pipeline = transformers.pipeline("fill-mask", model=theirs("bert", folder), tokenizer=tokenizer, top_k=4)
    expected = pipeline("the zoo [MASK] abs.")
    found = fill(folder, "the zoo [MASK] abs.", top=4).gaps[0]
    assert [guess.probability for guess in found] == pytest.approx([each["score"] for each in expected], rel=1e-4)
    assert [guess.piece for guess in found] == [tokenizer.convert_ids_to_tokens(each["token"]) for each in expected]


def test_a_model_with_a_new_vocabulary_is_read_by_transformers(tmp_path):
    given, old = made_up("bert"), Tokenizer.read(write_language_model(tmp_path / "old", "bert"))
    new = extend_vocabulary(old, ["cat", "##abs", "zoo"])
    made, _ = with_vocabulary(given, old, new)
    write_checkpoint(made, tmp_path, architecture="BertForMaskedLM")
    save_tokenizer(new, tmp_path)
    ours, peer = language_model(tmp_path), theirs("bert", tmp_path)
    read = transformers.AutoTokenizer.from_pretrained(tmp_path)(TEXTS)["input_ids"]
    for tokens, ids in zip(ours.tokenizer.encode(TEXTS), read, strict=True):
        assert tokens.ids.tolist() == ids
        with torch.no_grad():
            expected = peer(input_ids=torch.tensor([ids])).logits[0]
            found = ours.head(ours.encoder(pack([tokens])), word_table(ours.encoder))
        assert torch.allclose(found, expected, atol=2e-4, rtol=1e-5)


def test_the_model_that_comes_with_wordworth_is_the_same_in_transformers():
    folder, ours = resolve("mini").folder, language_model("mini")
    peer, report = transformers.BertForPreTraining.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    reader = transformers.AutoTokenizer.from_pretrained(folder)
    for text in ("They [MASK] been here for years, naïve or not.", "The 19th-century house!"):
        (tokens,) = ours.tokenizer.encode([text])
        assert reader(text)["input_ids"] == tokens.ids.tolist()
        with torch.no_grad():
            expected = peer.eval()(**reader(text, return_tensors="pt")).prediction_logits[0]
            found = ours.head(ours.encoder(pack([tokens])), word_table(ours.encoder))
        assert torch.allclose(found, expected, atol=1e-4)
