"""How nets and trees are combined: one small file per method. Needs no torch."""

from boardzero.methods.method import Method, MethodOptions, Net, Tree
from boardzero.methods.registry import (
    find_method,
    is_method_file,
    method_names,
    register_method,
)

__all__ = [
    "Method",
    "MethodOptions",
    "Net",
    "Tree",
    "find_method",
    "is_method_file",
    "method_names",
    "register_method",
]
