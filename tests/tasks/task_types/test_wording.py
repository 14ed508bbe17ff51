"""Every kind of task has words for reports, in the form in which sentences take them."""

from dataclasses import fields

import pytest

from wordworth.tasks import task_types
from wordworth.tasks.task_types.wording import Wording


@pytest.mark.parametrize("kind", sorted(task_types.names()))
def test_every_phrase_is_there_and_ends_without_a_stop(kind):
    wording = task_types.get(kind).wording
    phrases = {field.name: getattr(wording, field.name) for field in fields(Wording)}
    assert all(phrase and not phrase.endswith(".") for phrase in phrases.values())
    assert phrases["baseline"][0].isupper()
    assert phrases["examples"][0].islower()
