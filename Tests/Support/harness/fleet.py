"""The certificates of a fleet, made by the script that users call."""
import atexit
import functools
import pathlib
import subprocess
import tempfile

from .brokers import CONFIGURATION, Identity
from .waiting import wait_until

WEARERS = ["ada", "bob"]
OBSERVERS = ["dispatch", "board"]


class Fleet:
    """A folder with both authorities, a broker at 127.0.0.1 and clients."""

    def __init__(self, folder, clients=(*WEARERS, *OBSERVERS)):
        self.folder = pathlib.Path(folder)
        self.make("authorities")
        self.make("broker", "broker", "127.0.0.1", "localhost")
        self.make("client", *clients)

    def make(self, *arguments):
        subprocess.run([CONFIGURATION / "fleet-certificates", self.folder, *arguments], check=True)

    def identity(self, name):
        place = self.folder / "clients" / name
        return Identity(name, self.broker_authority, place.with_suffix(".pem"), place.with_suffix(".key"))

    def expired(self, name):
        """A client whose certificate ended a moment ago, else like that of the name."""
        valid = self.identity(name)
        request, file = self.folder / f"{name}-expired.csr", self.folder / f"{name}-expired.pem"
        authority = self.folder / "client-authority"
        self.openssl("req", "-new", "-key", valid.key, "-subj", f"/CN={name}", "-out", request)
        self.openssl("x509", "-req", "-in", request, "-CA", f"{authority}.pem", "-CAkey", f"{authority}.key",
                     "-set_serial", "1", "-days", "0", "-out", file)
        # It is valid to the end of this second.
        wait_until(
            lambda: self.openssl("x509", "-in", file, "-noout", "-checkend", "-1", check=False) == 1, what="its end")
        return Identity(name, valid.authority, file, valid.key)

    def openssl(self, *words, check=True):
        return subprocess.run(["openssl", *words], check=check, capture_output=True).returncode

    @property
    def broker_authority(self):
        return self.folder / "broker-authority.pem"

    def broker_files(self):
        """Files of the shipped configurations by their names there."""
        return {
            "client-authority.pem": self.folder / "client-authority.pem",
            "broker-authority.pem": self.broker_authority,
            "broker.pem": self.folder / "brokers/broker.pem",
            "broker.key": self.folder / "brokers/broker.key",
            "revoked.pem": self.folder / "revoked.pem",
        }


@functools.cache
def shared_fleet():
    """One for all tests of this process, which leave it as it is."""
    return make_shared("fleet")


@functools.cache
def foreign_fleet():
    """Another one, with clients of the same names."""
    return make_shared("foreign")


def make_shared(name):
    folder = tempfile.TemporaryDirectory(prefix=f"waymark-{name}-")
    atexit.register(folder.cleanup)
    return Fleet(folder.name)
