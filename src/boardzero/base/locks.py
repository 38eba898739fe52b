"""Files that one process holds at a time; the system lets go for whoever is killed."""

import os
import sys

_BEYOND = 1 << 20  # the byte that is locked on Windows, where nobody reads


def try_lock(file: int) -> bool:
    """Hold an open file alone until it is closed, unless somebody else does."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, _BEYOND, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
