"""How specs are read: whole, in one pass, and with every number within bounds."""

import re
from contextlib import suppress
from time import process_time

import pytest

from boardzero import BoardZeroError, make, make_player
from boardzero.base import specs
from boardzero.base.specs import Option, parse_spec, read_options
from boardzero.players import player_families

WORST = [
    "gomoku:a=" + " " * 9000,
    "gomoku:" + " " * 9000 + "=1",
    "gomoku:a=" + " " * 4000 + '"' + " " * 4000,
    'gomoku:a="' + "\\" * 9000,
    "gomoku:" + "a=," * 3000,
    "gomoku:" + "a" * 9000,
]


@pytest.mark.parametrize("text", WORST, ids=range(len(WORST)))
def test_no_text_takes_long_to_read(text: str) -> None:
    begun = process_time()
    with suppress(BoardZeroError):
        parse_spec(text)
    assert process_time() - begun < 0.1  # a second look at each character would take seconds


def test_a_spec_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(BoardZeroError, match=f"at most {specs._LONGEST} characters"):
        parse_spec("gomoku:a=" + "1" * specs._LONGEST)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("x:a=1, b = 2", {"a": "1", "b": "2"}),
        ('x:a="1,2=3", b=c d', {"a": "1,2=3", "b": "c d"}),
        (r'x:a="say \"so\""', {"a": 'say "so"'}),
        ("x:a=", {"a": ""}),
        ("x:a=1,", {"a": "1"}),
    ],
)
def test_options_are_read_as_they_are_meant(text: str, options: dict[str, str]) -> None:
    assert parse_spec(text).options == options


@pytest.mark.parametrize("text", ["x:a", "x:=1", 'x:a="1', 'x:a="1"2', "x:1=2", 'x:a=1"'])
def test_what_is_no_option_is_named(text: str) -> None:
    with pytest.raises(BoardZeroError, match="is not of the form option=value"):
        parse_spec(text)


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e300", "-1e300"])
def test_a_number_is_finite_even_where_an_option_names_no_bounds(text: str) -> None:
    with pytest.raises(BoardZeroError, match="must be"):
        read_options(parse_spec(f"x:c={text}"), [Option("c", 1.0, "any number")])


@pytest.mark.parametrize("number", [2**31, 2**64, -(2**40), 10**30])
def test_a_whole_number_fits_the_searches(number: int) -> None:
    with pytest.raises(BoardZeroError, match="must be"):
        read_options(parse_spec(f"x:n={number}"), [Option("n", 1, "any number")])


def test_every_numeric_option_of_every_player_refuses_what_is_out_of_bounds() -> None:
    game = make("english")
    for family in player_families():
        for option in family.options:
            if isinstance(option.default, bool) or not isinstance(option.default, int | float):
                continue
            for text in ("inf", "nan", "1e400", str(2**70), str(-(2**70))):
                with pytest.raises(BoardZeroError, match=re.escape(f"'{option.name}'")):
                    read_options(parse_spec(f"{family.name}:{option.name}={text}"), family.options)
    with pytest.raises(BoardZeroError, match="must be"):
        make_player("mcts:c=inf", game)
