"""Every search finds what it found before, node for node."""

from pathlib import Path

from boardzero.bench.signature import signatures


def test_searches_are_what_they_were() -> None:
    """A change here is a change of how searches play; say so in the commit that makes it."""
    lines = (Path(__file__).parent / "signatures.tsv").read_text().splitlines()
    found = [f"{s.game}\t{s.search}\t{s.nodes}\t{s.moves}" for s in signatures()]
    assert sorted(found) == sorted(lines)
