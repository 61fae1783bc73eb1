"""Describes the origin of results: the machine and the versions."""
import os
import platform
import re
import subprocess

PACKAGES = ["libmlir-22-dev", "clang-22", "libomp-22-dev", "libxsmm-dev", "libhwy-dev", "libopenblas0-pthread"]


def output_of(root, *command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def describe_machine():
    """CPU name and id, cores, load, and kernel release."""
    cpu = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            fields = dict(re.split(r"\s*:\s*", line.strip(), maxsplit=1) for line in file if re.search(r"\S\s*:\s*\S", line))
        cpu = fields.get("model name", "")
        # A virtual machine's "model name" may be generic; family and model identify the processor.
        cpu_id = f"{fields.get('vendor_id', '')}-{fields.get('cpu family', '')}-{fields.get('model', '')}".strip("-")
    except (OSError, ValueError):
        cpu_id = ""
    return {
        "cpu": cpu or platform.processor() or platform.machine(),
        "cpu_id": cpu_id,
        "cores": len(os.sched_getaffinity(0)),
        "load_before": os.getloadavg()[0],
        "kernel": platform.release(),
    }


def describe_versions(root):
    listing = output_of(root, "dpkg-query", "-W", "-f=${Package} ${Version}\n", *PACKAGES)
    versions = dict(line.split(" ", 1) for line in listing.splitlines() if " " in line)
    versions["tpp"] = output_of(root, "git", "describe", "--always", "--dirty")
    return versions


def results_folder(results, machine):
    """The folder for results of this processor."""
    return os.path.join(results, re.sub(r"[^A-Za-z0-9.-]+", "-", machine["cpu_id"] or machine["cpu"]).strip("-"))
