"""`wordworth finetune`: where a named task comes from."""

from tests.cli.terminal import wordworth

from wordworth.records import Finding, Record
from wordworth.studies import finetune as studies


def test_the_part_and_the_teacher_of_a_named_task_are_handed_on(tmp_path):
    missing = wordworth(
        "finetune", "squad1", "--learn-from", "squadshifts_new_wiki", "--folder", tmp_path, "--out", tmp_path / "run"
    )
    assert missing.code == 2
    assert "the test part of squadshifts_new_wiki is not on this machine; put new_wiki_v1.0.json" in missing.err
    other = wordworth("finetune", "cola", "--held-out", "test", "--folder", tmp_path, "--out", tmp_path / "run")
    assert "cola has no test part with public labels" in other.err


def test_they_go_with_a_named_task_alone(tmp_path):
    done = wordworth(
        "finetune", "--data", "reviews.csv", "--learn-from", "squadshifts_new_wiki", "--out", tmp_path / "run"
    )
    assert (done.code, done.err) == (
        2,
        "wordworth: --learn-from goes with a named task; leave it out, or name a task\n",
    )


def test_the_screen_says_that_too_few_rows_were_left_for_a_dev_part(tmp_path, monkeypatch):
    findings = [
        Finding("verdict", "MiniLM scores 70.5.", {"headline": "Accuracy 70.5"}),
        Finding("warning.no-dev", "There was no dev part."),
    ]
    record = Record(kind="finetune", settings={}, data={}, tables={}, findings=findings)
    monkeypatch.setattr(studies, "finetune", lambda *_, **__: record)
    done = wordworth("finetune", "cola", "--out", tmp_path)
    assert "MiniLM scores 70.5.\n\nBefore you trust it:\n- There was no dev part.\n" in done.out


def test_controls_go_with_stages_and_stages_may_be_several(tmp_path, monkeypatch):
    alone = wordworth("finetune", "cola", "--controls", "--out", tmp_path / "run")
    assert alone.code == 2
    assert "--controls: controls compare a staged transfer; name the target task with --then" in alone.err
    calls = []
    findings = [Finding("verdict", "So.", {"headline": "So"})]
    record = Record(kind="finetune", settings={}, data={}, tables={}, findings=findings)
    monkeypatch.setattr(studies, "finetune", lambda *_, **choices: calls.append(choices) or record)
    wordworth("finetune", "snli", "--then", "snli:choice", "--then", "copa", "--controls", "--out", tmp_path / "run")
    assert (calls[0]["then"], calls[0]["controls"]) == (("snli:choice", "copa"), True)
