"""`reproduce`, for people and for machines."""

import pytest


def test_without_a_document_they_are_listed(run):
    names = {record["name"] for record in run("reproduce", "--json").records}
    assert names == {"meng", "sun-zhao", "ocheretian", "wang", "mann-han"}
    assert "Wang 2018" in run("reproduce").out


def test_the_list_says_every_part_and_how_long_it_takes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    records = run("reproduce", "wang", "--list", "--hours", "2", "--json").records
    assert records[0]["part"] == "train wang-gomoku"
    assert sum(record["minutes"] for record in records) > 60
    assert "in all" in run("reproduce", "wang", "--list").out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("wong",), "did you mean 'wang'?"),
        (("wang", "--quick", "--hours", "1"), "exclude each other"),
        (("wang", "--hours", "-1"), "less than 0"),
    ],
)
def test_a_request_that_makes_no_sense_is_one_sentence(run, arguments, sentence):
    result = run("reproduce", *arguments)
    assert result.code == 2
    assert sentence in result.err
