"""Reasons in words, English and Dutch: the only place where a review's sentences are written.

A `Reason` is a kind and the values that its sentence needs, so that whoever shows it chooses the
language. A test makes every kind in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The languages that reviews are written in."""

Nouns = Mapping[Language, tuple[str, str]]

NUMBERS = {
    "en": ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    "nl": ["geen", "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien"],
}
NOUNS: Mapping[str, Nouns] = {
    "men": {"en": ("man", "men"), "nl": ("schijf", "schijven")},
    "moves": {"en": ("move", "moves"), "nl": ("zet", "zetten")},
    "pieces": {"en": ("piece", "pieces"), "nl": ("steen", "stenen")},
}
SEATS = {
    "nl": {"white": "wit", "black": "zwart", "red": "rood", "green": "groen", "blue": "blauw"},
}
_VERDICTS = {
    "blunder": {"en": "Blunder", "nl": "Blunder"},
    "mistake": {"en": "Mistake", "nl": "Fout"},
    "inaccuracy": {"en": "Inaccuracy", "nl": "Onnauwkeurig"},
}

# {men:n}, {moves:n} and {pieces:n} are a number and its noun, {seat:x} is the name of a seat.
SENTENCES: Mapping[str, Mapping[Language, str]] = {
    # Draughts
    "takes": {
        "en": "After {played} {seat:other} takes {men:lost}: {line}.",
        "nl": "Na {played} slaat {seat:other} {men:lost}: {line}.",
    },
    "shot": {
        "en": "After {played} {seat:other} has a shot that gives {men:given} and takes {men:taken}:"
        " {line}.",
        "nl": "Na {played} heeft {seat:other} een combinatie die {men:given} geeft en {men:taken}"
        " slaat: {line}.",
    },
    "outnumbered": {
        "en": "The exchange after {played} is outnumbered: {seat:other} takes {men:taken} and loses"
        " {men:given}: {line}.",
        "nl": "De ruil na {played} komt tekort: {seat:other} slaat {men:taken} en verliest"
        " {men:given}: {line}.",
    },
    "missed_shot": {
        "en": "{best} was a shot that wins {men:won}: {line}.",
        "nl": "{best} was een combinatie die {men:won} wint: {line}.",
    },
    "missed_men": {
        "en": "{best} wins {men:won}: {line}.",
        "nl": "{best} wint {men:won}: {line}.",
    },
    "breakthrough": {
        "en": "After {played} {seat:other} breaks through to a king: {line}.",
        "nl": "Na {played} breekt {seat:other} door naar dam: {line}.",
    },
    "missed_breakthrough": {
        "en": "{best} breaks through to a king: {line}.",
        "nl": "{best} breekt door naar dam: {line}.",
    },
    "opposition": {
        "en": "{best} keeps the opposition; after {played} {seat:other} has it.",
        "nl": "{best} behoudt de oppositie; na {played} heeft {seat:other} die.",
    },
    "tables_lost": {
        "en": "The ending is known from the tables: it was {was}, and after {played} it is {now}.",
        "nl": "Het eindspel is bekend uit de tabellen: het was {was}, en na {played} is het {now}.",
    },
    "tables_reached": {
        "en": "{played} leads to an ending that is known from the tables: it is {now}.",
        "nl": "{played} leidt naar een eindspel dat bekend is uit de tabellen: het is {now}.",
    },
    # Five in a row
    "ignored_four": {
        "en": "{seat:other} has four in a row and completes it: {line}.",
        "nl": "{seat:other} heeft er vier op een rij en maakt de vijf af: {line}.",
    },
    "missed_five": {
        "en": "{best} makes five in a row and wins at once.",
        "nl": "{best} maakt vijf op een rij en wint meteen.",
    },
    "open_four": {
        "en": "After {played} {reply} makes an open four, which cannot be stopped.",
        "nl": "Na {played} maakt {reply} een open vier, en die is niet te stoppen.",
    },
    "double_threat": {
        "en": "After {played} {reply} makes two threats at once: {line}.",
        "nl": "Na {played} maakt {reply} twee dreigingen tegelijk: {line}.",
    },
    "fours": {
        "en": "After {played} {seat:other} wins by one four after the other: {line}.",
        "nl": "Na {played} wint {seat:other} met vier na vier: {line}.",
    },
    "ignored_three": {
        "en": "{seat:other} had an open three; {played} does not stop it: {line}.",
        "nl": "{seat:other} had een open drie; {played} stopt die niet: {line}.",
    },
    "missed_open_four": {
        "en": "{best} makes an open four, which cannot be stopped.",
        "nl": "{best} maakt een open vier, en die is niet te stoppen.",
    },
    "missed_double": {
        "en": "{best} makes two threats at once: {line}.",
        "nl": "{best} maakt twee dreigingen tegelijk: {line}.",
    },
    "key_point": {
        "en": "{best} is the point that both sides need; after {played} {seat:other} takes it:"
        " {line}.",
        "nl": "{best} is het punt dat beide partijen nodig hebben; na {played} neemt {seat:other}"
        " het: {line}.",
    },
    "open_three": {
        "en": "After {played} {seat:other} gets an open three with {reply}, and the attack:"
        " {line}.",
        "nl": "Na {played} krijgt {seat:other} met {reply} een open drie, en de aanval: {line}.",
    },
    "missed_three": {
        "en": "{best} makes an open three, and keeps the attack: {line}.",
        "nl": "{best} maakt een open drie en behoudt de aanval: {line}.",
    },
    "forbidden": {
        "en": "{point} is a forbidden point for black, so the threat there cannot be answered:"
        " {line}.",
        "nl": "{point} is een verboden punt voor zwart, dus de dreiging daar is niet te"
        " beantwoorden: {line}.",
    },
    # Chexers
    "loses_piece": {
        "en": "After {played} {seat:other} jumps over a piece of {seat:mover}'s and takes it over:"
        " {line}.",
        "nl": "Na {played} springt {seat:other} over een steen van {seat:mover} en neemt die over:"
        " {line}.",
    },
    "missed_exit": {
        "en": "{best} brings a piece off the board; {seat:ahead} is ahead with {pieces:exits} out.",
        "nl": "{best} brengt een steen van het bord; {seat:ahead} ligt voor met {pieces:exits}"
        " eruit.",
    },
    "missed_jump": {
        "en": "{best} jumps over a piece of {seat:victim}'s and takes it over.",
        "nl": "{best} springt over een steen van {seat:victim} en neemt die over.",
    },
    "lets_exit": {
        "en": "After {played} {seat:other} can leave the board and is ahead with {pieces:exits}"
        " out: {line}.",
        "nl": "Na {played} kan {seat:other} het bord verlaten en ligt voor met {pieces:exits}"
        " eruit: {line}.",
    },
    "missed_block": {
        "en": "{best} blocks {seat:victim}'s way off the board; after {played} it is open: {line}.",
        "nl": "{best} verspert {seat:victim} de weg van het bord; na {played} ligt die open:"
        " {line}.",
    },
    # Every game
    "loses": {
        "en": "{played} loses by force: {line}.",
        "nl": "{played} verliest geforceerd: {line}.",
    },
    "missed_win": {
        "en": "{best} wins by force: {line}.",
        "nl": "{best} wint geforceerd: {line}.",
    },
    "slower": {
        "en": "{best} wins in {moves:fast}, {played} only in {moves:slow}.",
        "nl": "{best} wint in {moves:fast}, {played} pas in {moves:slow}.",
    },
}
OUTCOMES = {"won": {"nl": "gewonnen"}, "drawn": {"nl": "remise"}, "lost": {"nl": "verloren"}}
_FIELD = re.compile(r"\{(?:(\w+):)?(\w+)\}")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move was wrong; `sentence` says it to a person."""

    kind: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def sentence(self, language: Language = "en") -> str:
        """The reason in words."""
        template = SENTENCES[self.kind][language]
        text = _FIELD.sub(lambda found: self._field(found, language), template)
        return text[:1].upper() + text[1:] if template.startswith("{seat") else text

    def _field(self, found: re.Match[str], language: Language) -> str:
        kind, name = found[1], found[2]
        value = self.values.get(name, "")
        if kind in NOUNS and isinstance(value, int):
            return counted(value, NOUNS[kind], language)
        if kind == "seat":
            return SEATS.get(language, {}).get(str(value), str(value))
        return OUTCOMES.get(str(value), {}).get(language, str(value))


def kinds() -> tuple[str, ...]:
    return tuple(SENTENCES)


def verdict_word(name: str, language: Language = "en") -> str:
    return _VERDICTS[name][language]


def better_word(best: str, language: Language = "en") -> str:
    return f"{best} was better." if language == "en" else f"{best} was beter."


def counted(number: int, nouns: Nouns, language: Language = "en") -> str:
    words = NUMBERS[language]
    word = words[number] if 0 <= number < len(words) else str(number)
    return f"{word} {nouns[language][0 if number == 1 else 1]}"
