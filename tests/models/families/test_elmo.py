"""ELMo: words by their characters, the published files read exactly, nothing carried over unless asked for."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.models.tiny_elmo import TINY, an_elmo, write_elmo

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.batch import pack
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.encoder_base import Encoder
from wordworth.models.families.bilm import CarriedStates
from wordworth.models.families.elmo import (
    ELMO,
    CharacterEmbedding,
    ElmoConfig,
    SpelledEmbedding,
    carried,
    elmo,
    read_in_order,
)
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import save
from wordworth.text.character_tokenizer import BEGIN_SENTENCE, END_SENTENCE, CharacterTokenizer, boundary, character_ids
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.training.objectives.next_token import ForwardBackward
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining.batches import packed

READER = CharacterTokenizer()
SENTENCES = [["The", "bank", "was", "steep", "."], ["Well"], ["She", "said", ":", "the", "bank", "closed"]]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return ww.load(write_elmo(tmp_path_factory.mktemp("elmo") / "tiny"))


def a_batch(*sentences):
    return pack(READER.encode_words(sentences))


# --- the embedding


def read_slowly(embedding, characters):
    """One word, place by place, as the papers write it."""
    config = embedding.config
    x = torch.stack([embedding.characters.weight[index - 1] for index in characters.tolist()])
    found = []
    for (width, number), convolution in zip(config.filters, embedding.filters, strict=True):
        kernel = convolution.weight.view(number, width, config.character_size)
        places = [
            torch.einsum("wc,nwc->n", x[start : start + width], kernel) + convolution.bias
            for start in range(len(x) - width + 1)
        ]
        found.append(torch.stack(places).amax(0))
    y = torch.cat(found)
    y = y.relu() if config.activation == "relu" else y.tanh()
    for highway in embedding.highways:
        gate = highway.carry(y).sigmoid()
        y = gate * highway.transform(y).relu() + (1 - gate) * y
    return embedding.projection(y)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_words_vector_is_the_one_written_out(activation):
    embedding = an_elmo(replace(TINY, activation=activation, num_highways=2)).embedding
    words = torch.from_numpy(np.stack([character_ids(word) for word in ("the", "the", "x" * 60, "naïve", "")]))
    expected = torch.stack([read_slowly(embedding, word) for word in words])
    assert torch.allclose(embedding.vectors(words), expected, atol=1e-5)


def test_words_beyond_what_is_held_at_once_are_read_too(monkeypatch):
    embedding, batch = an_elmo().embedding, a_batch(*SENTENCES)
    whole = embedding(batch)
    monkeypatch.setattr("wordworth.models.families.elmo._WORDS_AT_ONCE", 3)
    assert torch.allclose(embedding(batch), whole, atol=1e-6)


def test_the_published_model_has_as_many_numbers():
    with torch.device("meta"):
        sizes = [
            sum(parameter.numel() for parameter in elmo(config).parameters())
            for config in (
                ElmoConfig(),
                ElmoConfig(cell_size=1024, projection_size=128, num_highways=1),
                ElmoConfig(cell_size=2048, projection_size=256, num_highways=1),
            )
        ]
    assert sizes == [93_600_848, 13_593_296, 28_027_728]


def test_fresh_weights_are_drawn_as_published():
    embedding = CharacterEmbedding(replace(TINY, filters=((1, 40), (3, 60))))
    embedding.draw(torch.Generator().manual_seed(0))
    assert 0.9 < embedding.characters.weight.abs().max() <= 1
    assert 0.04 < embedding.filters[1].weight.abs().max() <= 0.05
    assert (embedding.highways[0].carry.bias == -2).all()
    assert embedding.highways[0].transform.weight.std().item() == pytest.approx(0.1, rel=0.1)
    assert not embedding.projection.bias.any()


@pytest.mark.parametrize("filters", [(), ((51, 3),), ((2, 0),)])
def test_filters_that_fit_no_word_are_refused(filters):
    with pytest.raises(ValueError, match="not convolutions"):
        ElmoConfig(filters=filters)


# --- what a user gets


def test_layer_0_is_the_words_own_vector_twice_and_boundaries_are_left_out(tiny):
    states = tiny.word_states(SENTENCES)
    assert states.values.shape == (3, 12, 12)
    assert states.words == tuple(word for sentence in SENTENCES for word in sentence)
    assert states.sentences.tolist() == [0] * 5 + [1] + [2] * 6
    assert (states.pieces == 1).all()
    own = tiny.model.embedding.vectors(torch.from_numpy(np.stack([character_ids(word) for word in states.words])))
    assert np.allclose(states.layer(0), torch.cat([own, own], dim=1).detach(), atol=1e-6)
    assert np.array_equal(states.layer(0)[1], states.layer(0)[10])  # bank
    assert not np.allclose(states.layer(1)[1], states.layer(1)[10])


def test_texts_are_parted_into_words(tiny):
    states = tiny.states(["The bank, again.", "", "你好 x"])
    assert states.words == ("The", "bank", ",", "again", ".", "你", "好", "x")
    assert states.spans[:3].tolist() == [[0, 3], [4, 8], [8, 9]]
    given = tiny.word_states([["The", "bank", ",", "again", "."]])
    assert np.allclose(states.values[:, :5], given.values, atol=1e-6)


def test_its_pieces_are_its_words(tiny):
    words, pieces = tiny.states(["The bank, again."]), tiny.piece_states(["The bank, again."])
    assert pieces.words == words.words
    assert np.array_equal(pieces.values, words.values)


def test_the_same_sentence_twice_is_the_same_to_the_bit(tiny):
    first = tiny.word_states(SENTENCES)
    tiny.word_states([["something", "else"]])
    assert np.array_equal(tiny.word_states(SENTENCES).values, first.values)


def test_the_right_to_left_half_knows_nothing_of_earlier_words_and_the_other_nothing_of_later(tiny):
    before = tiny.word_states([["a", "b", "c", "d", "e"]]).values
    changed = tiny.word_states([["x", "y", "c", "d", "e"]]).values
    assert np.array_equal(before[:, 2:, 6:], changed[:, 2:, 6:])
    assert not np.array_equal(before[1:, 2:, :6], changed[1:, 2:, :6])
    changed = tiny.word_states([["a", "b", "c", "x", "y"]]).values
    assert np.array_equal(before[:, :3, :6], changed[:, :3, :6])


def test_texts_of_any_length_become_vectors(tiny):
    texts = ["", "one", "a long one " * 30]
    found = tiny.embed(texts)
    assert found.vectors.shape == (3, 12)
    assert np.isfinite(found.vectors).all()
    assert found.lengths.windowed == 1
    assert np.allclose(found.vectors[1], tiny.encode(["one"])[0], atol=1e-6)
    assert tiny.pooled_layers(texts).shape == (3, 3, 12)
    assert len(tiny.states(texts)) == 1 + 90
    assert tiny.encode_pairs(["one"], ["two"]).vectors.shape == (1, 12)


# --- the published files


def test_files_go_there_and_back(tmp_path, tiny):
    model = an_elmo()
    theirs = ELMO.table.to_checkpoint(model.state_dict())
    assert theirs["CNN/W_cnn_2"].shape == (1, 5, 3, 7)
    assert theirs["RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_0"].shape == (12, 40)
    assert theirs["char_embed"].shape == (261, 3)
    ours, report = ELMO.table.from_checkpoint(theirs, model.state_dict())
    assert all(torch.equal(ours[name], tensor) for name, tensor in model.state_dict().items())
    assert set(report.loaded) == set(theirs)
    save(tiny, tmp_path / "ours")
    again = read_encoder(tmp_path / "ours")
    assert again.model.config == tiny.model.config == TINY
    assert np.array_equal(again.word_states(SENTENCES).values, tiny.word_states(SENTENCES).values)


@pytest.mark.parametrize(
    ("part", "key", "value", "said"),
    [
        ("lstm", None, None, "no 'lstm'"),
        ("char_cnn", "n_characters", 300, "262 characters"),
        ("char_cnn", "max_characters_per_token", 10, "not supported"),
        ("char_cnn", "activation", "selu", "selu"),
        ("char_cnn", "filters", [[1, "4"]], "not a list of"),
        ("char_cnn", "filters", [[99, 4]], "not convolutions"),
        ("char_cnn", "n_highway", 10**7, "no model has more than 1,000 layers"),
        ("lstm", "n_layers", 10**7, "no model has more than 1,000 layers"),
        ("lstm", "dim", -1, "whole number"),
        ("lstm", "dim", 10**12, "not a whole number up to"),
    ],
)
def test_options_of_another_model_are_refused(tmp_path, part, key, value, said):
    options = write_elmo(tmp_path) / "elmo_tiny_options.json"
    raw = json.loads(options.read_text())
    if key is None:
        del raw[part]
    else:
        raw[part][key] = value
    options.write_text(json.dumps(raw))
    with pytest.raises(BadInput, match=said):
        read_checkpoint(tmp_path)


def test_two_models_in_one_folder_are_told_apart_by_nobody(tmp_path):
    write_elmo(tmp_path)
    (tmp_path / "another_options.json").write_text("{}")
    with pytest.raises(BadInput, match="several models"):
        read_checkpoint(tmp_path)


# --- what is carried from batch to batch


def test_a_memory_goes_on_where_the_batch_before_ended():
    """From the left, what came before stands to the left; from the right, it stands to the right."""
    model, memory = an_elmo(), CarriedStates()
    first, second = a_batch(["a", "b", "c"]), a_batch(["d", "e"])
    list(carried(model, first, memory))
    after = torch.stack(list(carried(model, second, memory)))
    x = torch.cat([model.embedding(first), model.embedding(second)])
    onwards = torch.stack(list(model.body.states(x, torch.tensor([0, len(x)]))))
    turned = torch.cat([model.embedding(second), model.embedding(first)])
    back = torch.stack(list(model.body.states(turned, torch.tensor([0, len(x)]))))
    assert torch.allclose(after[..., :6], onwards[:, 5:, :6], atol=1e-5)
    assert torch.allclose(after[..., 6:], back[:, :4, 6:], atol=1e-5)


def test_rows_remember_by_themselves_whatever_their_lengths():
    model, memory, alone = an_elmo(), CarriedStates(), [CarriedStates() for _ in range(3)]
    batches = [SENTENCES, [*SENTENCES[1:], ["a", "b"]], SENTENCES[:1], SENTENCES]
    for sentences in batches:
        together = next(read_in_order(model, [sentences], memory))
        for number, sentence in enumerate(sentences):
            (apart,) = read_in_order(model, [[sentence]], alone[number])
            assert np.allclose(together[number], apart[0], atol=1e-5)


def test_a_forgotten_memory_is_none_at_all():
    model, memory = an_elmo(), CarriedStates()
    fresh = next(read_in_order(model, [SENTENCES]))
    held = [next(read_in_order(model, [SENTENCES], memory)) for _ in range(2)]
    memory.reset()
    reset = next(read_in_order(model, [SENTENCES], memory))
    for number in range(3):
        assert np.array_equal(fresh[number], held[0][number])
        assert np.array_equal(fresh[number], reset[number])
        assert not np.allclose(fresh[number][1:], held[1][number][1:], atol=1e-3)


def test_gradients_are_those_of_states_that_begin_with_what_was_held():
    model, memory, batch = an_elmo().double(), CarriedStates(), a_batch(["c", "d", "e"], ["f"])
    list(carried(model, a_batch(["a", "b"], ["g", "h"]), memory))
    held = dict(memory.layers)
    assert not any(values.requires_grad for each in held.values() for values in each)
    weight = model.body.layers[0].right_to_left.recurrent.weight
    direction = torch.randn(weight.shape, generator=torch.Generator().manual_seed(0), dtype=torch.double)

    def loss():
        return torch.stack(list(carried(model, batch, CarriedStates(dict(held))))).square().sum()

    (gradient,) = torch.autograd.grad(loss(), [weight])
    values, step = [], 1e-2  # cells are computed in float32
    for sign in (1, -1):
        weight.data += sign * step * direction
        values.append(loss().item())
        weight.data -= sign * step * direction
    assert (gradient * direction).sum().item() == pytest.approx((values[0] - values[1]) / (2 * step), rel=1e-2)


# --- training


def test_a_language_model_over_words_trains_the_characters_too():
    words = ["<s>", "</s>", "the", "cat", "dog", "sat", "ran", "away"]
    config = replace(TINY, vocab_size=len(words), dropout=0.0, projection_size=8)
    spelling = np.stack([character_ids(word) for word in words])
    model = Encoder(config, SpelledEmbedding(config, spelling), elmo(config).body)
    generator = torch.Generator().manual_seed(0)
    objective, head = ForwardBackward(), ForwardBackward().head(model)
    for parameter in (*model.body.parameters(), *head.parameters()):
        torch.nn.init.normal_(parameter, std=0.3, generator=generator)
    model.embedding.characters.draw(generator)
    ids = np.array([0, 2, 3, 5, 1, 0, 2, 4, 6, 7, 1])
    starts = np.array([0, 5, 11], dtype=np.int32)
    instances = Instances(ids=ids, segments=np.zeros_like(ids), starts=starts, labels=np.full(2, -1))
    asked, targets = objective.prepare(instances, np.random.default_rng(0))
    batch = packed(asked)
    weights, losses = [*model.parameters(), *head.parameters()], []
    before = model.embedding.characters.filters[0].weight.clone()
    for _ in range(60):
        loss = objective.loss(head, ModelOutput(model, batch, model(batch)), targets)
        mean = loss.sum / loss.count
        for weight, gradient in zip(weights, torch.autograd.grad(mean, weights), strict=True):
            weight.data -= gradient
        losses.append(mean.item())
    assert losses[0] > 2
    assert losses[-1] < 1.2
    assert not torch.equal(model.embedding.characters.filters[0].weight, before)
    trained = Encoder(config, model.embedding.characters, model.body).eval()
    assert torch.isfinite(trained(a_batch(["the", "catfish"]))).all()


# --- the published reference outputs

DATA = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[4] / "shared" / "data"))
FIXTURES = {"elmo-allennlp": "sentences.json", "elmo-bilm-tf": "lm_embeddings_sentences.json"}
TOLERANCE = 2e-6
"""In float32; the reference's own tests allow 1e-6 and a hundred-thousandth of the value."""


@pytest.fixture(scope="module", params=FIXTURES)
def published(request):
    folder = DATA / "fixtures" / request.param
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here: set WORDWORTH_DATA to the folder of the data sets")
    rows = json.loads((folder / FIXTURES[request.param]).read_text())
    batches = [[rows[row][number].split() for row in range(3)] for number in range(10)]
    with np.load(folder / "fixture.npz") as file:
        return ww.load(folder), batches, dict(file)


def apart(found, expected):
    """How far top layers [words, 32] are from published ones [2, words, 16]."""
    return np.abs(np.stack(np.split(found, 2, axis=-1)) - expected).max()


def test_published_outputs_come_out_with_states_carried(published):
    encoder, batches, expected = published
    for number, found in enumerate(read_in_order(encoder.model, batches)):
        for row in range(3):
            assert apart(found[row][-1], expected[f"expected/{row}/{number}"]) < TOLERANCE


def test_with_states_reset_the_first_batch_is_published_and_later_ones_are_not(published):
    encoder, batches, expected = published
    states = encoder.word_states(batches[0], layers=-1)
    for row in range(3):
        found = states.layer(2)[states.sentences == row]
        assert apart(found, expected[f"expected/{row}/0"]) < TOLERANCE
    later = encoder.word_states(batches[1][:1], layers=-1).layer(2)
    assert apart(later, expected["expected/0/1"]) > 0.1


def test_published_word_vectors_come_out(published):
    encoder, _, expected = published
    if "token_embeddings" not in expected:
        pytest.skip("only one of the two sets has word vectors")
    vocabulary = (DATA / "fixtures" / "elmo-allennlp" / "vocab_test.txt").read_text().splitlines()
    marks = {"<S>": boundary(BEGIN_SENTENCE), "</S>": boundary(END_SENTENCE)}
    characters = np.stack([marks[word] if word in marks else character_ids(word) for word in vocabulary])
    found = encoder.model.embedding.vectors(torch.from_numpy(characters)).detach().numpy()
    assert np.abs(found - expected["token_embeddings"]).max() < TOLERANCE


def test_doctor_finds_every_published_tensor_used_once(published):
    encoder, _, expected = published
    names = encoder.checkpoint.names
    weights = {name.removeprefix("weights/") for name in expected if name.startswith("weights/")}
    assert set(names.loaded) == weights
    assert not names.unexpected
