"""`wordworth search` alone: the commands that it has."""

import pytest
from tests.cli.terminal import wordworth

from wordworth.cli.search import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_and_has_examples(name):
    assert name in wordworth("search", "--help").out
    assert "Examples:" in wordworth("search", name, "--help").out


def test_a_misspelt_command_is_met_with_the_nearest():
    done = wordworth("search", "aks")
    assert done.code == 2
    assert "no search command 'aks'; did you mean 'ask'?" in done.err
