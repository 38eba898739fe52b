"""What the processor can do, as far as the choice between two builds of the core depends on it.

Loaded by `import boardzero` of a portable package, so it asks the system and loads nothing.
"""

import sys

_V3 = {"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}  # what Linux calls them
_PF_AVX2_INSTRUCTIONS_AVAILABLE = 40  # of Windows


def runs_x86_64_v3() -> bool:
    """Whether processor and system have AVX2, BMI2 and what else x86-64-v3 means."""
    try:
        if sys.platform == "win32":
            from ctypes import windll

            return bool(windll.kernel32.IsProcessorFeaturePresent(_PF_AVX2_INSTRUCTIONS_AVAILABLE))
        if sys.platform == "darwin":
            from ctypes import CDLL, byref, c_int, c_size_t, sizeof

            known = c_int(0)
            size = c_size_t(sizeof(known))
            CDLL(None).sysctlbyname(b"hw.optional.avx2_0", byref(known), byref(size), None, 0)
            return known.value == 1
        with open("/proc/cpuinfo") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:  # a system that does not tell
        return False
    return set(flags.split()) >= _V3
