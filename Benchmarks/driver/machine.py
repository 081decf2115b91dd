"""What is measured on, and with."""

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass


class Broken(Exception):
    """Something does not work, so there is no figure at all."""


@dataclass(frozen=True)
class Cores:
    """One for what is measured, one for whoever puts load on it."""

    subject: int
    load: int
    # For what nobody puts load on from outside.
    all: tuple[int, ...]

    @staticmethod
    def choose() -> "Cores":
        available = sorted(os.sched_getaffinity(0))
        return Cores(subject=available[0], load=available[-1], all=tuple(available))


def command(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if path is None:
        raise Broken(f"the {name} command is missing: make deps-bench")
    return path


def pinned(cores: tuple[int, ...], arguments: list[str]) -> list[str]:
    return [command("taskset"), "-c", ",".join(str(core) for core in cores)] + arguments


def run(arguments: list[str], timeout: float = 120) -> str:
    try:
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise Broken(f"{arguments[0]} did not finish") from error
    if result.returncode != 0:
        raise Broken(f"{' '.join(arguments)} exited with {result.returncode}: {result.stderr.strip()[-500:]}")
    return result.stdout


def median(values: list[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def other_load() -> float | None:
    """The load of the last minute, where it is more than the benchmark itself makes."""
    load = os.getloadavg()[0]
    return load if load > len(os.sched_getaffinity(0)) + 0.5 else None


def description() -> dict:
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"model name\s*:\s*(.*)", file.read())
            model = found.group(1) if found else ""
    except OSError:
        pass
    return {
        "processor": model,
        "load": os.getloadavg()[0],
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "openssl": run([command("openssl"), "version"]).strip(),
    }
