"""What a result was measured on, in one line that names no host."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    *("treefront", "numpy", "scikit-learn"),
    *("pycontree", "pystreed", "licketysplit", "claritree"),
    *("scipy", "highspy", "fimdlp", "gymnasium", "stable-baselines3", "torch"),
)


def describe() -> str:
    """Date, processor, cores, load, Python and library versions."""
    parts = [
        f"Measured {date.today()} on {processor()}, {os.cpu_count()} cores",
        f"Python {platform.python_version()}",
        *versions(PACKAGES),
    ]
    return ", ".join(parts) + "."


def versions(packages: Iterable[str]) -> list[str]:
    """Name and version of those that are installed."""
    return [f"{package} {version(package)}" for package in packages if installed(package)]


def installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def processor() -> str:
    """The model's name, where the system tells it, else the architecture."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                name = " ".join(line.partition(":")[2].split())
                return f"{name} (family and model {family_and_model(info.read_text())})"
    return platform.processor() or platform.machine()


def family_and_model(cpuinfo: str) -> str:
    """Two numbers that tell processors of one name apart."""
    fields = {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in cpuinfo.splitlines())
        if key.strip() in ("cpu family", "model")
    }
    return f"{fields.get('cpu family', '?')}/{fields.get('model', '?')}"
