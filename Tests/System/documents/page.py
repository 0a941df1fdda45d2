"""A document, with what its commands need and print, and the tests that run those that need more."""
import dataclasses
import re
from collections.abc import Callable

from harness.paths import ROOT

# Lines of a block that begin like this are typed by a user; other blocks show outputs, settings or formulas.
COMMAND = re.compile(r"""
    \$[ ] | sudo[ ] | until[ ] | (?:brokers|tour|WAYMARK_\w+)= | \(echo | (?:
    waymark[a-z-]*(?![_{]) | apt-get | aa-\w+ | bitbake-layers | busctl | cat | cc | cd | cgps | chown | chronyc | cp | curl | dtc | editor |
    export | gpspipe | grep | i2cdetect | install | journalctl | kill | ls | make | mmdebstrap | mosquitto_\w+ | nft | autopkgtest | osmium |
    podman | printf | python3 | scripts/\S+ | socat | ssh | systemctl | ubxtool | udevadm | varlinkctl | \$brokers/\S+ | \.build/\S+
    )(?![^ ])""", re.VERBOSE)


def nothing(_home):
    pass


@dataclasses.dataclass
class Page:
    """What the page presumes: lines typed `before`, and `files` that are written into the folder, its argument.

    `prints` has what commands print at least, by their first words, `endless` those that only Ctrl-C ends, with what they
    print before; both begin a line. `elsewhere` names, by patterns, the file of the test that runs a command in place of this one, or says
    in brackets what no test has.
    """

    name: str
    before: tuple = ()
    files: Callable = nothing
    prints: dict = dataclasses.field(default_factory=dict)
    endless: dict = dataclasses.field(default_factory=dict)
    elsewhere: dict = dataclasses.field(default_factory=dict)

    @property
    def commands(self):
        """Its commands in their order, each with the lines that continue it."""
        text = re.sub(r"\\\n +", "", (ROOT / self.name).read_text())
        blocks = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        lines = re.findall(r"^    (\S.*)$", blocks, re.MULTILINE)
        return [re.sub(r"^\$ ", "", line) for line in lines if COMMAND.match(line)]

    @property
    def own(self):
        return [command for command in self.commands if not self.runner(command)]

    def runner(self, command):
        return next((file for pattern, file in self.elsewhere.items() if re.match(pattern, command)), None)
