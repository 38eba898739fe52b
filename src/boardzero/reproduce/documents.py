"""The five documents by name."""

from boardzero.base.errors import nearest
from boardzero.reproduce.document import Document
from boardzero.reproduce.mann_han import MANN_HAN
from boardzero.reproduce.meng import MENG
from boardzero.reproduce.ocheretian import OCHERETIAN
from boardzero.reproduce.sun_zhao import SUN_ZHAO
from boardzero.reproduce.wang import WANG

DOCUMENTS = {one.name: one for one in (MENG, SUN_ZHAO, OCHERETIAN, WANG, MANN_HAN)}


def find_document(name: str) -> Document:
    if name not in DOCUMENTS:
        raise nearest("document", name, DOCUMENTS, list_all=True)
    return DOCUMENTS[name]
