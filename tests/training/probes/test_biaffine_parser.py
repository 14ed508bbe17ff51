"""The parser scores arcs and labels by the published formulas and learns the trees that states hold."""

import numpy as np
import pytest
import torch
from tests.training.probes.test_structural_probe import random_heads

from wordworth.training.probes.biaffine_parser import ARC, LABEL, BiaffineParser, ParserBatch
from wordworth.training.probes.train_probe import ProbeTraining, train_probe

LAYERS, WIDTH, LABELS = 2, 24, 3


def drawn_parser(seed=0):
    """A parser whose weights are all random, both maps too."""
    parser, generator = BiaffineParser(LAYERS, WIDTH, LABELS), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in parser.parameters():
            parameter.normal_(std=0.3, generator=generator)
    return parser


def batch_of(lengths, seed=0):
    states = np.random.default_rng(seed).normal(size=(sum(lengths), LAYERS, WIDTH)).astype(np.float32)
    return ParserBatch(torch.from_numpy(states), lengths)


def plain_scores(parser, states):
    """Arc scores [n, n + 1] and a function from (word, head) to label scores, by loops over equations 6 and 8."""
    weights = {name: value.detach().double().numpy() for name, value in parser.named_parameters()}
    layers = np.exp(weights["mix.logits"]) / np.exp(weights["mix.logits"]).sum() * weights["mix.gamma"]
    mix = np.einsum("nld,l->nd", states.double().numpy(), layers)
    hidden = np.maximum(mix @ weights["roles.weight"].T + weights["roles.bias"], 0)
    arc_dependent, arc_head, label_dependent, label_head = np.split(hidden, np.cumsum([ARC, ARC, LABEL]), axis=1)
    arc_head = [weights["arc_root"][0], *arc_head]
    label_head = [weights["label_root"][0], *label_head]
    arcs = [[np.append(word, 1) @ weights["arc"] @ head for head in arc_head] for word in arc_dependent]

    def of_label(word, head):
        pair = np.append(label_dependent[word], 1), np.append(label_head[head + 1], 1)
        return [pair[0] @ weights["label"][label] @ pair[1] for label in range(LABELS)]

    return np.array(arcs), of_label


def test_scores_are_those_of_the_published_formulas():
    parser, batch = drawn_parser(), batch_of([4, 2])
    arcs, of_label = plain_scores(parser, batch.states[:4])
    roles = parser.roles_of(batch)
    found = parser.arc_scores(roles, batch.is_word)[0].detach().numpy()
    off = ~np.eye(4, 5, 1, dtype=bool)
    assert found[off] == pytest.approx(arcs[off], rel=1e-4, abs=1e-4)
    assert np.isinf(found[~off]).all()
    heads = np.array([2, -1, 1, 0, 1, -1])
    labels = parser.label_scores(roles, batch.rows_of(heads)).detach().numpy()
    assert labels[:4] == pytest.approx(np.array([of_label(*pair) for pair in enumerate(heads[:4])]), rel=1e-4, abs=1e-4)


def test_the_loss_is_that_of_the_true_heads_and_their_labels():
    parser, batch = drawn_parser(), batch_of([5])
    heads, labels = np.array([1, -1, 1, 2, 0]), np.array([0, 1, 2, 0, 1])
    arcs, of_label = plain_scores(parser, batch.states)
    expected = 0.0
    for word, (head, label) in enumerate(zip(heads, labels, strict=True)):
        candidates = np.delete(arcs[word], word + 1)
        expected += np.log(np.exp(candidates).sum()) - arcs[word, head + 1]
        expected += np.log(np.exp(of_label(word, head)).sum()) - of_label(word, head)[label]
    loss = parser.loss(batch, heads, labels)
    assert loss.sum.item() == pytest.approx(expected, rel=1e-4)
    assert loss.count == 5
    assert parser.loss(batch, heads, labels, torch.Generator().manual_seed(0)).sum.item() != loss.sum.item()


def test_a_sentence_is_parsed_alike_alone_and_among_others():
    parser, batch = drawn_parser(), batch_of([3, 7, 1])
    together = parser.parse(batch)
    alone = [parser.parse(ParserBatch(part, [len(part)])) for part in batch.states.split([3, 7, 1])]
    for column in (0, 1):
        assert together[column].tolist() == np.concatenate([each[column] for each in alone]).tolist()
    assert together[0][-1] == -1  # the only word of a sentence is its root


def trees(number, seed, *, hold):
    """Trees, and states in which words have their own random vector and (if they `hold` trees) that of their head."""
    rng, states, heads = np.random.default_rng(seed), [], []
    for _ in range(number):
        tree = random_heads(rng, int(rng.integers(2, 9)))
        own = rng.normal(size=(len(tree), WIDTH // 2))
        of_head = np.where(tree[:, None] < 0, 2.0, own[tree]) if hold else rng.normal(size=own.shape)
        states.append(np.stack([np.concatenate([own, of_head], 1)] * LAYERS, 1).astype(np.float32))
        heads.append(tree)
    return states, heads


@pytest.mark.parametrize(("hold", "least", "most"), [(True, 0.95, 1.0), (False, 0.0, 0.35)])
def test_trees_are_found_in_new_sentences_if_and_only_if_states_hold_them(hold, least, most):
    states, heads = trees(400, 0, hold=hold)

    def batch(rows):
        return ParserBatch(
            torch.from_numpy(np.concatenate([states[row] for row in rows])), [len(states[r]) for r in rows]
        )

    def loss(rows, generator):
        of_rows = np.concatenate([heads[row] for row in rows])
        return parser.loss(batch(rows), of_rows, np.where(of_rows < 0, 0, 1), generator)

    parser = BiaffineParser(LAYERS, WIDTH, LABELS)
    parser.initialise(torch.Generator().manual_seed(0))
    training = ProbeTraining(rate=3e-3, batch_size=20, passes=15, decay=0.5)
    train_probe(parser, loss, np.arange(280), np.arange(280, 320), training, seed=0)
    found, labels = parser.parse(batch(range(320, 400)))
    right = np.mean(found == np.concatenate(heads[320:]))
    assert least <= right <= most
    if hold:
        assert np.mean((labels == 0) == (np.concatenate(heads[320:]) < 0)) >= least
