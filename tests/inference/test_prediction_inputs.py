"""Questions to a fine-tuned model, row by row."""

import pytest

from wordworth.errors import BadInput
from wordworth.inference.prediction_inputs import ColumnRoles, InputRow, examples_of, input_rows
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.task_types.classification import CLASSIFICATION, PAIR_CLASSIFICATION
from wordworth.tasks.task_types.tagging import TAGGING
from wordworth.text.file_formats.read import read_rows

CONLL = """-DOCSTART- -X- -X- O

EU NNP I-NP B-ORG
rejects VBZ I-VP O

German JJ I-NP B-MISC
calls NNS I-NP O

-DOCSTART- -X- -X- O

Peter NNP I-NP B-PER
smiled VBD I-VP O
"""


def test_sentences_of_a_marked_file_keep_their_documents(tmp_path):
    path = tmp_path / "eng.testb"
    path.write_text(CONLL)
    found = examples_of(list(input_rows(path)), ColumnRoles(TAGGING, pairs=False))
    assert found.words == (("EU", "rejects"), ("German", "calls"), ("Peter", "smiled"))
    assert found.documents == (0, 0, 1)


def test_sentences_of_an_unmarked_file_are_of_one_document_as_they_are_in_training(tmp_path):
    path = tmp_path / "eng.testb"
    path.write_text(CONLL.replace("-DOCSTART- -X- -X- O\n\n", "") * 10)
    assert examples_of(list(input_rows(path)), ColumnRoles(TAGGING, pairs=False)).documents is None
    assert read_task(path).examples.documents is None


def test_a_column_of_documents_marks_them_in_training_as_in_answering(tmp_path):
    path = tmp_path / "own.jsonl"
    row = '{{"words": ["EU", "rejects", "{0}"], "tags": ["B-ORG", "O", "O"], "document": "{1}"}}\n'
    path.write_text("".join(row.format(number, number // 3) for number in range(30)))
    asked = examples_of(list(input_rows(path)), ColumnRoles(TAGGING, pairs=False))
    assert asked.documents == tuple(number // 3 for number in range(30)) == read_task(path).examples.documents


def test_a_missing_word_is_refused_with_its_line(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text('{"words": ["EU", "rejects"]}\n{"words": ["German", null, "calls"]}\n')
    with pytest.raises(BadInput, match=r"own.jsonl, line 2: word 2 of 3 is missing"):
        examples_of(list(input_rows(path)), ColumnRoles(TAGGING, pairs=False))


def test_a_tsv_is_asked_as_it_is_learned_from_odd_quotation_marks_and_all(tmp_path):
    path = tmp_path / "dev.tsv"
    path.write_text('sentence\tlabel\n"he said\t1\nfine\t0\nshe said "no"\t1\n"bad"\t0\nhe said"\t1\n')
    learned = read_rows(path).columns["sentence"]
    assert list(examples_of(list(input_rows(path)), ColumnRoles(CLASSIFICATION, pairs=False)).first) == learned
    assert learned == ['"he said', "fine", 'she said "no"', '"bad"', 'he said"']


def test_the_texts_of_a_pair_are_found_by_the_names_that_training_knows_in_its_order(tmp_path):
    path = tmp_path / "qnli.tsv"
    path.write_text("index\tquestion\tsentence\n0\tWho?\tHe did.\n")
    found = examples_of(list(input_rows(path)), ColumnRoles(PAIR_CLASSIFICATION, pairs=True))
    assert (found.first, found.second) == (("Who?",), ("He did.",))


@pytest.mark.parametrize(("learned", "row"), [
    ((), '{"text_a": "…", "text_b": "…"}'), (("premise", "hypothesis"), '{"premise": "…", "hypothesis": "…"}')
])  # fmt: skip
def test_who_gives_texts_where_pairs_are_read_is_told_how_to_give_pairs(learned, row):
    roles = ColumnRoles(PAIR_CLASSIFICATION, pairs=True, training_columns=learned)
    with pytest.raises(BadInput, match=f"a pair is a row such as {row}, in Python a list of such dicts"):
        roles.cell(InputRow({"text": "a"}, "the table, row 0"), "second")


def test_a_row_without_its_second_text_is_not_told_to_name_the_first_one_so():
    roles = ColumnRoles(PAIR_CLASSIFICATION, pairs=True)
    with pytest.raises(BadInput, match=r"no column for the second text.*'text_b'; available: 'other'"):
        roles.cell(InputRow({"text": "a", "other": "b"}, "line 1"), "second")


@pytest.mark.parametrize(("role", "named", "message"), [
    ("text", {"text": "txt"}, "text column 'txt' not found; give `text` NAME; available: 'remark', 'stars'"),
    ("second", {"second": "other"}, "second text column 'other' not found; give `text_b` NAME; available: 'remark', "),
])  # fmt: skip
def test_a_column_that_the_user_named_wrongly_is_answered_with_those_that_the_file_has(role, named, message):
    roles = ColumnRoles(PAIR_CLASSIFICATION, pairs=True, **named)
    with pytest.raises(BadInput, match=message):
        roles.cell(InputRow({"remark": "a", "stars": "1"}, "line 1"), role)
