"""Copies of the sources, for tests that build them."""
import shutil
import subprocess

from .paths import ROOT


def copy_tracked(folder, *paths):
    """The tracked files below these paths, all without any, as they are now."""
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", *paths], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    for name in tracked:
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder
