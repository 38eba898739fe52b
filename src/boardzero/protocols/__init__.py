"""Ways to the world outside: other programs' games and players, and ours for other programs.

Importing this package registers what they add; none of their packages is imported before its use.
"""

from boardzero.games import register
from boardzero.protocols import openspiel

__all__: list[str] = []

register(openspiel.FAMILY)
