"""The tables of a record: formulas with their layers, and every column described."""


def test_methods_have_formula_source_weights_and_layers(answered):
    record, _ = answered
    rows = {row["method"]: row for row in record.tables["methods"].rows()}
    assert (rows["finetune"]["temperature"], rows["finetune"]["alpha"], rows["finetune"]["beta"]) == (None, 0.0, None)
    assert (rows["kd"]["temperature"], rows["kd"]["alpha"]) == (5.0, 0.5)
    assert (rows["distilbert"]["student_layers"], rows["distilbert"]["teacher_layers"]) == ("1", "2")
    assert all("arXiv" in rows[name]["source"] for name in ("kd", "distilbert"))


def test_the_last_method_alone_is_written_and_by_one_seed(answered):
    record, _ = answered
    assert [row["method"] for row in record.tables["runs"].rows() if row["written"]] == ["kd"]


def test_values_that_were_not_measured_are_empty(answered):
    record, _ = answered
    teacher, start, *students = record.tables["models"].rows()
    assert (teacher["loss"], teacher["runs"], start["runs"], start["gain"]) == (None,) * 4
    assert all(row["deviation"] is not None for row in students)
