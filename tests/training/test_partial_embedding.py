"""Training only the rows of the word table that texts use gives the table that training all of them gives."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

from wordworth.training.partial_embedding import TrainableRows

USED = np.array([1, 4, 5])
IDS = torch.tensor([4, 1, 4, 5])


@pytest.fixture
def table():
    return torch.randn(8, 3, generator=torch.Generator().manual_seed(0))


def test_before_training_every_row_is_the_tables(table):
    rows = TrainableRows(table, USED).eval()
    assert torch.equal(rows(torch.arange(8)), table)
    assert torch.equal(rows.full_table(), table)


def test_training_with_decay_gives_the_table_that_plain_fine_tuning_gives(table):
    rate, decay = 0.1, 0.5
    rows, plain = TrainableRows(table.clone(), USED).train(), nn.Embedding.from_pretrained(table.clone(), freeze=False)
    weights = torch.randn(3, generator=torch.Generator().manual_seed(1))
    for module in (rows, plain):
        optimiser = torch.optim.AdamW(module.parameters(), lr=rate, weight_decay=decay)
        for _ in range(4):
            optimiser.zero_grad()
            (module(IDS) @ weights).square().sum().backward()
            optimiser.step()
    rows.decay = (1 - rate * decay) ** 4
    assert torch.allclose(rows.full_table(), plain.weight, atol=1e-6)
    assert torch.allclose(rows.eval()(torch.arange(8)), plain.weight, atol=1e-6)


def test_the_given_table_never_changes(table):
    before = table.clone()
    rows = TrainableRows(table, USED).train()
    with torch.no_grad():
        rows.rows += 1
    rows.decay = 0.5
    rows.full_table()
    assert torch.equal(table, before)


def test_only_the_used_rows_are_trained_and_saved(table):
    rows = TrainableRows(table, USED)
    assert [parameter.shape for parameter in rows.parameters()] == [(3, 3)]
    assert list(rows.state_dict()) == ["rows"]


def test_a_copy_shares_the_table_and_has_rows_of_its_own(table):
    rows = TrainableRows(table, USED)
    copied = copy.deepcopy(rows).to(torch.bfloat16).eval()
    with torch.no_grad():
        copied.rows += 1
    assert torch.equal(rows.rows, table[USED])
    with torch.no_grad():
        table += 5  # the rows that are not trained are read from the one table
    assert torch.equal(rows.eval()(torch.tensor([0])), table[:1])
    assert torch.equal(copied(torch.tensor([0])), table[:1].to(torch.bfloat16))
    assert copied(torch.arange(8)).dtype == torch.bfloat16
