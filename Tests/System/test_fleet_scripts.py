"""The scripts for a fleet's brokers: fleet-certificates, and nats-users."""
import os
import shutil
import stat
import subprocess

import pytest

from harness.brokers import CONFIGURATION

HASH = "$2b$10$" + "a" * 53


def certificates(folder, *arguments, **variables):
    return subprocess.run(
        [CONFIGURATION / "fleet-certificates", folder, *arguments], capture_output=True, text=True,
        env={**os.environ, **variables})


def openssl(*words):
    return subprocess.run(["openssl", *words], capture_output=True, text=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with authorities, a broker and two clients, which is only copied."""
    folder = tmp_path_factory.mktemp("made") / "fleet"
    broker = ["broker", "one", "mqtt.example.org", "192.0.2.1", "2001:db8::1"]
    for arguments in [["authorities"], broker, ["client", "ada", "bob"]]:
        done = certificates(folder, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture
def fleet(made, tmp_path):
    return shutil.copytree(made, tmp_path / "fleet")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_private_keys_are_readable_by_their_owner_alone(fleet):
    keys = {str(path.relative_to(fleet)): stat.S_IMODE(path.stat().st_mode) for path in fleet.rglob("*.key")}
    names = ["broker-authority", "client-authority", "brokers/one", "clients/ada", "clients/bob"]
    assert keys == {f"{name}.key": 0o600 for name in names}
    assert stat.S_IMODE(fleet.stat().st_mode) == 0o700
    assert not list(fleet.glob(".new*")), "nothing temporary is left"


@pytest.mark.parametrize("authority, purpose, certificate, is_good", [
    ("client-authority", "sslclient", "clients/ada", True),
    ("client-authority", "sslserver", "clients/ada", False),
    ("broker-authority", "sslclient", "clients/ada", False),
    ("broker-authority", "sslserver", "brokers/one", True),
    ("broker-authority", "sslclient", "brokers/one", True),
    ("client-authority", "sslclient", "brokers/one", False),
])
def test_a_certificate_is_good_for_its_purpose_alone(fleet, authority, purpose, certificate, is_good):
    done = openssl(
        "verify", "-CAfile", fleet / f"{authority}.pem", "-purpose", purpose, fleet / f"{certificate}.pem")
    assert (done.returncode == 0) == is_good, done.stderr


def test_a_certificate_names_the_client_or_the_addresses_of_the_broker(fleet):
    shown = openssl("x509", "-in", fleet / "clients/ada.pem", "-noout", "-subject", "-nameopt", "RFC2253")
    assert shown.stdout == "subject=CN=ada\n"
    for kind, address, is_known in [("host", "mqtt.example.org", True), ("host", "other.example.org", False),
                                    ("ip", "192.0.2.1", True), ("ip", "2001:db8::1", True), ("ip", "192.0.2.2", False)]:
        done = openssl("x509", "-in", fleet / "brokers/one.pem", "-noout", f"-check{kind}", address)
        assert ("does match" in done.stdout) == is_known


def test_nothing_is_overwritten(fleet):
    before = contents(fleet)
    for arguments in [["authorities"], ["broker", "one", "other.example.org"], ["client", "eve", "ada"]]:
        done = certificates(fleet, *arguments)
        assert done.returncode == 1
        assert "exists already" in done.stderr
    assert contents(fleet) == before


@pytest.mark.parametrize("arguments, reason", [
    (["client", "a.b"], "id 'a.b' is not of the form"),
    (["client", "a/b"], "not of the form"),
    (["client", "a\nb"], "not of the form"),
    (["client", ".."], "not of the form"),
    (["client", ""], "not of the form"),
    (["client", "a" * 65], "not of the form"),
    (["client", "ada/CN=dispatch"], "not of the form"),
    (["broker", "two", "a,IP:192.0.2.7"], "address 'a,IP:192.0.2.7' is not of the form"),
    (["broker", "../two", "a"], "the broker's name"),
    (["revoke", "eve"], "clients/eve.pem is missing"),
    (["client", *["ada"] * 10_001], "10001 names are more than 10000"),
])
def test_a_name_that_is_no_name_is_refused_and_nothing_is_made(fleet, arguments, reason):
    before = contents(fleet)
    done = certificates(fleet, *arguments)
    assert done.returncode == 1
    assert reason in done.stderr
    assert contents(fleet) == before


@pytest.mark.parametrize("arguments", [
    [], ["client"], ["broker", "one"], ["revoke"], ["authorities", "more"], ["other", "one"]])
def test_the_usage_is_shown_where_a_word_is_missing(fleet, arguments):
    done = certificates(fleet, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: fleet-certificates FOLDER authorities")


def test_without_authorities_no_certificate_is_made(tmp_path):
    done = certificates(tmp_path, "client", "ada")
    assert done.returncode == 1
    assert "fleet-certificates" in done.stderr and "authorities" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("days, is_good", [("1", True), ("0", False), ("-1", False), ("10000", False), ("x", False)])
def test_the_lifetime_of_certificates_is_bounded(fleet, days, is_good):
    assert (certificates(fleet, "client", "eve", DAYS=days).returncode == 0) == is_good
    if is_good:
        assert openssl("x509", "-in", fleet / "clients/eve.pem", "-noout", "-checkend", "80000").returncode == 0
        assert openssl("x509", "-in", fleet / "clients/eve.pem", "-noout", "-checkend", "90000").returncode == 1


def test_a_revoked_client_is_on_the_list_and_the_other_is_not(fleet):
    assert certificates(fleet, "revoke", "ada").returncode == 0
    for name, is_good in [("ada", False), ("bob", True)]:
        done = openssl(
            "verify", "-crl_check", "-CRLfile", fleet / "revoked.pem", "-CAfile", fleet / "client-authority.pem",
            fleet / f"clients/{name}.pem")
        assert (done.returncode == 0) == is_good, done.stderr


def nats_users(text):
    return subprocess.run([CONFIGURATION / "nats-users"], input=text, capture_output=True, text=True)


def test_users_of_nats_have_the_permissions_of_their_role():
    done = nats_users(f"# a comment\n\nada\ndispatch observer\nbob wearer {HASH}\n")
    assert (done.returncode, done.stderr) == (0, "")
    ada, dispatch, bob = [line for line in done.stdout.splitlines() if "user:" in line]
    assert 'user: "CN=ada"' in ada and 'subscribe: { deny: ">" }' in ada
    assert 'publish: ["waymark.ada.pose", "waymark.ada.state", "waymark.ada.event", "waymark.ada.health"' in ada
    assert 'user: "CN=dispatch"' in dispatch and 'publish: { deny: ">" }' in dispatch
    assert f'user: "bob", password: "{HASH}"' in bob
    assert all('allowed_connection_types: ["MQTT"]' in line for line in (ada, dispatch, bob))


@pytest.mark.parametrize("line, reason", [
    ("a.b", 'the id "a.b" is not of'),
    ("a*", "is not of"),
    ('a"b', "is not of"),
    ("a" * 65, "is not of"),
    ("ada", "was on line 1 before"),
    ("bob obsrver", '"obsrver" is neither'),
    ("bob observer plain-password", '"plain-password" is neither'),
    (f"bob {HASH} observer", "is neither"),
])
def test_a_line_that_is_no_user_is_refused_with_its_number_and_no_user_is_written(line, reason):
    done = nats_users(f"ada\n{line}\n")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("nats-users: line 2: ") and reason in done.stderr
