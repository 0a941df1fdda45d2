"""What `make install` puts in place, and that `make uninstall` takes out exactly that."""

import os
import re
import stat
import subprocess

import pytest

from harness.paths import ROOT

pytestmark = pytest.mark.library


def make(target, destdir, **variables):
    settings = [f"DESTDIR={destdir}"] + [f"{name}={value}" for name, value in variables.items()]
    return subprocess.run(
        ["make", "--no-print-directory", target, *settings], cwd=ROOT, capture_output=True, text=True, check=True)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_install_puts_programs_units_rules_and_documents_in_place(tmp_path):
    make("install", tmp_path)
    found = files(tmp_path)
    for expected in [
        "etc/dbus-1/system.d/org.waymark.SensorProxy.conf",
        "etc/waymark/waymark.toml",
        "usr/local/bin/waymark",
        "usr/local/bin/waymarkd",
        "usr/local/bin/waymark-bridge",
        "usr/local/bin/waymark-mqtt",
        "usr/local/bin/waymark-beacon",
        "usr/local/bin/waymark-voice",
        "usr/local/lib/systemd/user/waymark-voice.service",
        "usr/local/include/waymark.h",
        "usr/local/include/waymark-interface.h",
        "usr/local/include/waymark-openxr.h",
        "usr/local/include/waymark-pose-ring.h",
        "usr/local/lib/libwaymark.a",
        "usr/local/lib/libwaymark.so",
        "usr/local/lib/libwaymark.so.0",
        "usr/local/lib/libXrApiLayer_waymark.so",
        "usr/local/lib/pkgconfig/waymark.pc",
        "usr/local/share/doc/libwaymark-dev/examples/render.c",
        "usr/local/share/man/man3/waymark-client.3",
        "usr/local/lib/systemd/system/waymark-bridge.service",
        "usr/local/lib/systemd/system/waymark-mqtt.service",
        "usr/local/lib/systemd/user/waymark-beacon.service",
        "usr/local/lib/systemd/system/waymark-serve.service",
        "usr/local/lib/systemd/system/waymark-navigator.service",
        "usr/local/lib/systemd/system/waymark-hrtimer.service",
        "usr/local/lib/systemd/system/waymark.socket",
        "usr/local/lib/systemd/system/waymarkd.service",
        "usr/local/lib/systemd/user/waymark-notify.service",
        "usr/local/lib/sysusers.d/waymark.conf",
        "usr/local/lib/udev/rules.d/60-waymark-iio.rules",
        "usr/local/lib/udev/waymark-hrtimer",
        "usr/local/lib/udev/waymark-iio-permissions",
        "usr/local/share/doc/waymark/61-sensor-board.hwdb",
        "usr/local/share/doc/waymark/examples/brokers/mosquitto.acl",
        "usr/local/share/doc/waymark/examples/brokers/mosquitto.conf",
        "usr/local/share/doc/waymark/examples/brokers/nats-server.conf",
        "usr/local/share/doc/waymark/board.md",
        "usr/local/share/doc/waymark/README.md",
        "usr/local/share/bash-completion/completions/waymark",
        "usr/local/share/bash-completion/completions/waymarkd",
        "usr/local/share/fish/vendor_completions.d/waymark.fish",
        "usr/local/share/man/man1/waymark.1",
        "usr/local/share/man/man1/waymark-voice.1",
        "usr/local/share/man/man5/waymark.toml.5",
        "usr/local/share/man/man7/waymark-protocol.7",
        "usr/local/share/man/man8/waymark-bridge.8",
        "usr/local/share/man/man8/waymark-mqtt.8",
        "usr/local/share/man/man1/waymark-beacon.1",
        "usr/local/share/man/man8/waymarkd.8",
        "usr/local/share/openxr/1/api_layers/explicit.d/XrApiLayer_waymark.json",
        "usr/local/share/openxr/1/api_layers/implicit.d/XrApiLayer_waymark.json",
        "usr/local/share/varlink/org.waymark.Pose.varlink",
        "usr/local/share/zsh/site-functions/_waymark",
    ]:
        assert expected in found
    for program in ["waymark", "waymarkd", "waymark-bridge", "waymark-mqtt", "waymark-beacon", "waymark-voice"]:
        path = tmp_path / "usr/local/bin" / program
        assert stat.S_IMODE(path.stat().st_mode) == 0o755
        assert subprocess.run([path, "--version"], capture_output=True, text=True).stdout.startswith(program + " ")


def test_where_the_headers_of_openxr_are_missing_its_layer_is_left_out_and_the_package_to_install_is_named(tmp_path):
    compiler = tmp_path / "cc"
    # Fails where only the preprocessor is asked for, which is to find the headers.
    compiler.write_text('#!/bin/sh\ncase " $* " in *" -E "*) exit 1 ;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    assert "libopenxr-dev" in make("openxr-layer", tmp_path, CC=compiler).stderr


def test_the_scripts_for_brokers_can_be_called_where_they_were_installed(tmp_path):
    make("install", tmp_path)
    for name in ["fleet-certificates", "nats-users"]:
        assert os.access(tmp_path / "usr/local/share/doc/waymark/examples/brokers" / name, os.X_OK)


def test_what_install_lists_is_what_it_puts(tmp_path):
    make("install", tmp_path)
    listed = subprocess.run(
        ["scripts/install", "list"], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "DESTDIR": str(tmp_path)}).stdout.split()
    assert sorted(listed) == sorted(str(tmp_path / name) for name in files(tmp_path))


def test_the_unit_starts_the_program_where_it_was_installed(tmp_path):
    make("install", tmp_path, PREFIX="/opt/waymark")
    unit = (tmp_path / "opt/waymark/lib/systemd/system/waymarkd.service").read_text()
    assert re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE) == ["/opt/waymark/bin/waymarkd"]
    assert (tmp_path / "opt/waymark/bin/waymarkd").exists()


def test_each_profile_permits_the_program_where_it_was_installed(tmp_path):
    make("install", tmp_path, PREFIX="/opt/waymark")
    for profile in (tmp_path / "etc/apparmor.d").iterdir():
        assert "\n  /opt/waymark/bin/waymark mr,\n" in profile.read_text(), profile


def test_uninstall_leaves_an_empty_tree(tmp_path):
    make("install", tmp_path, PREFIX="/usr", SYSCONFDIR="/etc")
    make("uninstall", tmp_path, PREFIX="/usr", SYSCONFDIR="/etc")
    assert list(tmp_path.iterdir()) == []


def test_uninstall_keeps_what_others_put(tmp_path):
    make("install", tmp_path)
    other = tmp_path / "usr/local/bin/other"
    other.write_text("#!/bin/sh\n")
    make("uninstall", tmp_path)
    assert files(tmp_path) == ["usr/local/bin/other"]


def test_a_changed_configuration_survives_install_and_uninstall(tmp_path):
    make("install", tmp_path)
    configuration = tmp_path / "etc/waymark/waymark.toml"
    configuration.write_text(configuration.read_text() + "# mine\n")
    # What is the owner's of a profile is elsewhere.
    profile = tmp_path / "etc/apparmor.d/waymarkd"
    current = profile.read_text()
    profile.write_text("# of an earlier version\n")
    make("install", tmp_path)
    assert profile.read_text() == current
    assert configuration.read_text().endswith("# mine\n")
    said = make("uninstall", tmp_path).stderr
    assert files(tmp_path) == ["etc/waymark/waymark.toml"]
    assert "waymark.toml" in said


@pytest.fixture
def device(tmp_path):
    """A folder like a sensor's in sysfs."""
    folder = tmp_path / "devices/iio:device0"
    names = [
        "name", "sampling_frequency", "in_accel_sampling_frequency", "current_timestamp_clock", "in_accel_x_raw",
        "buffer/enable", "buffer/length", "buffer/watermark", "buffer/data_available", "buffer0/in_accel_x_en",
        "scan_elements/in_accel_x_en", "scan_elements/in_accel_x_type", "trigger/current_trigger",
    ]
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("0\n")
        path.chmod(0o644)
    return folder


def test_what_the_udev_rule_calls_opens_what_libiio_writes_and_nothing_else(device):
    # The user exists only on an installed system; root may give files to any number. Others can see the modes alone.
    user = 64_100 if os.geteuid() == 0 else os.getuid()
    for path in device.rglob("*"):
        # As a former version left them, or a driver that has them closed.
        if path.is_file():
            path.chmod(0o664 if path.name == "enable" else 0o444)
    subprocess.run([ROOT / "udev/waymark-iio-permissions", device, str(user)], check=True)
    found = {str(path.relative_to(device)): path.stat() for path in device.rglob("*") if path.is_file()}
    writable = sorted(name for name, status in found.items() if status.st_mode & stat.S_IWUSR)
    assert {(found[name].st_uid, stat.S_IMODE(found[name].st_mode)) for name in writable} == {(user, 0o644)}
    assert {stat.S_IMODE(status.st_mode) for name, status in found.items() if name not in writable} == {0o444}
    assert writable == [
        "buffer/enable", "buffer/length", "buffer/watermark", "current_timestamp_clock", "in_accel_sampling_frequency",
        "sampling_frequency", "scan_elements/in_accel_x_en", "trigger/current_trigger",
    ]


def test_a_sensor_that_is_gone_by_then_is_no_fault_of_the_udev_rule(tmp_path):
    said = subprocess.run(
        [ROOT / "udev/waymark-iio-permissions", tmp_path / "gone"], capture_output=True, text=True, check=True)
    assert said.stdout + said.stderr == ""


def test_the_udev_rule_calls_its_program_where_it_was_installed(tmp_path):
    make("install", tmp_path, PREFIX="/opt/waymark")
    rules = (tmp_path / "opt/waymark/lib/udev/rules.d/60-waymark-iio.rules").read_text()
    [program] = re.findall(r'^RUN\{program\}\+="(\S+) ', rules, re.MULTILINE)
    assert program == "/opt/waymark/lib/udev/waymark-iio-permissions"
    assert os.access(tmp_path / program[1:], os.X_OK)


TIMERS = ["waymark-accelerometer", "waymark-barometer", "waymark-gyroscope", "waymark-magnetometer"]


class Triggers:
    """The folders of configfs and sysfs for the helper, with triggers in sysfs that no kernel adds or removes here."""

    def __init__(self, root):
        self.root, self.folder = root, root / "sys/kernel/config/iio/triggers/hrtimer"
        self.folder.mkdir(parents=True)
        self.user = 64_100 if os.geteuid() == 0 else os.getuid()
        self.rates = {}
        for number, name in enumerate(["bmi160-dev0", *TIMERS, "waymark-inertial", "other"]):
            folder = root / f"sys/bus/iio/devices/trigger{number}"
            folder.mkdir(parents=True)
            (folder / "name").write_text(name + "\n")
            self.rates[name] = folder / "sampling_frequency"
            self.rates[name].write_text("100.000\n")
            self.rates[name].chmod(0o644)

    def device(self, number, trigger):
        """The file in which a device has the name of its trigger."""
        file = self.root / f"sys/bus/iio/devices/iio:device{number}/trigger/current_trigger"
        file.parent.mkdir(parents=True)
        file.write_text(trigger + "\n")
        return file

    def helper(self, *arguments, **options):
        return subprocess.run(
            # By its text: another user may not enter the folders that lead to the file.
            ["sh", "-s", "--", *map(str, arguments)], check=True, capture_output=True, text=True,
            input=(ROOT / "systemd/waymark-hrtimer").read_text(encoding="utf-8"),
            env={**os.environ, "WAYMARK_ROOT": "."}, cwd=self.root, **options)

    @property
    def made(self):
        return sorted(path.name for path in self.folder.iterdir())

    @property
    def given(self):
        return {name for name, file in self.rates.items() if file.stat().st_uid == self.user}


def test_the_helper_makes_a_trigger_for_each_sensor_and_gives_away_their_rates_alone(tmp_path):
    triggers = Triggers(tmp_path)
    # Twice, for a unit is started again.
    for _ in range(2):
        triggers.helper("make", triggers.user)
    assert triggers.made == TIMERS
    assert triggers.given == set(TIMERS) if os.geteuid() == 0 else triggers.given >= set(TIMERS)
    assert {stat.S_IMODE(file.stat().st_mode) for file in triggers.rates.values()} == {0o644}


def test_the_helper_removes_its_triggers_and_makes_none(tmp_path):
    triggers = Triggers(tmp_path)
    (triggers.folder / "another").mkdir()
    triggers.helper("remove")
    assert triggers.made == ["another"]
    triggers.helper("make", triggers.user)
    used, others = triggers.device(0, "waymark-magnetometer"), triggers.device(1, "another")
    owner = used.stat().st_uid
    triggers.helper("remove")
    assert triggers.made == ["another"]
    # The kernel would free a trigger under the driver that is still set to it.
    assert used.read_text() == "\n" and used.stat().st_uid == owner
    assert others.read_text() == "another\n"


def test_the_helper_removes_the_triggers_of_an_earlier_version(tmp_path):
    triggers = Triggers(tmp_path)
    (triggers.folder / "waymark-inertial").mkdir()
    used = triggers.device(0, "waymark-inertial")
    triggers.helper("make", triggers.user)
    assert triggers.made == TIMERS and used.read_text() == "\n"


def test_the_helper_leaves_a_trigger_whose_device_does_not_let_go_of_it(tmp_path):
    triggers = Triggers(tmp_path)
    triggers.helper("make", triggers.user)
    used = triggers.device(0, "waymark-accelerometer")
    # A kernel refuses the write while the buffer runs; here the file does, to a user who is not root.
    used.chmod(0o444)
    for path in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(path, triggers.user, -1)
    said = triggers.helper("remove", triggers.user, user=triggers.user).stderr
    assert triggers.made == ["waymark-accelerometer"] and used.read_text() == "waymark-accelerometer\n"
    assert "waymark-accelerometer is in use" in said


def test_removing_the_package_removes_the_triggers_and_makes_none():
    removal = (ROOT / "debian/waymark.prerm").read_text()
    assert re.findall(r"/usr/lib/udev/waymark-hrtimer (\w+)", removal) == ["remove"]
    unit = (ROOT / "systemd/waymark-hrtimer.service").read_text()
    calls = dict(re.findall(r"^(Exec\w+)=/usr/lib/udev/waymark-hrtimer (\w+)$", unit, re.MULTILINE))
    assert calls == {"ExecStart": "make", "ExecStop": "remove"}


def test_the_daemon_looks_for_the_triggers_that_the_helper_makes():
    helper = (ROOT / "systemd/waymark-hrtimer").read_text()
    source = (ROOT / "Sources/Inputs/Sensors/IIO/DeviceTrigger.swift").read_text()
    kinds = (ROOT / "Sources/Inputs/Sensors/IIO/IIOSettings.swift").read_text().partition("enum SensorKind")[2]
    [prefix] = re.findall(r'timerPrefix = "(\S+)"', source)
    [names] = re.findall(r"^names='(.*)'$", helper, re.MULTILINE)
    assert names.split() == [prefix + kind for kind in re.findall(r"^    case (\w+)$", kinds, re.MULTILINE)]
    assert sorted(names.split()) == TIMERS
    assert "Wants=waymark-hrtimer.service\n" in (ROOT / "systemd/waymarkd.service").read_text()


def test_each_assignment_stands_on_a_line_of_its_own_in_the_udev_rules():
    # udev 258 and later drops a whole line when it cannot follow one part of it.
    lines = (ROOT / "udev/60-waymark-iio.rules").read_text().splitlines()
    assignments = {
        line: len(re.findall(r"\b(OWNER=|GROUP=|MODE=|TAG\+=|RUN\{program\}\+=|ENV\{\w+\}\+?=\")", line))
        for line in lines if not line.startswith("#")}
    assert max(assignments.values()) == 1, assignments


def test_restarts_after_crashes_never_reach_the_limit_of_starts():
    service = (ROOT / "systemd/waymarkd.service").read_text()
    seconds = {
        key: float(value)
        for key, value in re.findall(r"^(RestartSec|StartLimitIntervalSec|StartLimitBurst)=(\d+)s?$", service, re.MULTILINE)}
    assert seconds["RestartSec"] * seconds["StartLimitBurst"] >= seconds["StartLimitIntervalSec"]


def test_units_rules_account_and_configuration_agree():
    socket = (ROOT / "systemd/waymark.socket").read_text()
    service = (ROOT / "systemd/waymarkd.service").read_text()
    rules = (ROOT / "udev/60-waymark-iio.rules").read_text()
    [account, bridge] = re.findall(r"^u (\S+) ", (ROOT / "config/waymark.sysusers").read_text(), re.MULTILINE)
    [path] = re.findall(r'^#socket = "(.*)"$', (ROOT / "config/waymark.toml").read_text(), re.MULTILINE)
    [state] = re.findall(r'^\[state\].*?^#directory = "(.*?)"$', (ROOT / "config/waymark.toml").read_text(),
                         re.MULTILINE | re.DOTALL)
    assert f"ListenStream={path}\n" in socket
    assert f"SocketGroup={account}\n" in socket
    assert f"User={account}\nGroup={account}\n" in service
    assert f"StateDirectory={state.removeprefix('/var/lib/')}\n" in service
    assert re.findall(r'^OWNER="(\w+)"', rules, re.MULTILINE) == [account]
    [changers, aiders] = re.findall(r"^g (\S+) ", (ROOT / "config/waymark.sysusers").read_text(), re.MULTILINE)
    assert f'#change_group = "{changers}"\n' in (ROOT / "config/waymark.toml").read_text()
    assert f'aidGroup = "{aiders}"\n' in (ROOT / "Sources/Daemon/Configuration/Configuration.swift").read_text()
    assert f'#socket_group = "{account}"\n' in (ROOT / "config/waymark.toml").read_text()
    # The others have users of their own, in the group of the readers.
    for name, user, groups in [
            ("bridge", f"User={bridge}", "SupplementaryGroups"), ("serve", "DynamicUser=yes", "Group"),
            ("mqtt", "DynamicUser=yes", "SupplementaryGroups"), ("navigator", "DynamicUser=yes", "Group")]:
        unit = (ROOT / f"systemd/waymark-{name}.service").read_text()
        assert f"\n{user}\n{groups}={account}\n" in unit
    assert f"\nSupplementaryGroups={changers}\n" in (ROOT / "systemd/waymark-navigator.service").read_text()
    assert f'<policy user="{bridge}">' in (ROOT / "dbus/org.waymark.SensorProxy.conf").read_text()
    # Positions and sensors are the service's own.
    assert "UMask=0077\n" in service and "StateDirectoryMode=0700\n" in service
    assert re.findall(r'^(?:GROUP|MODE)="(\w+)"', rules, re.MULTILINE) == ["root", "0600"]
    assert f"${{2:-{account}}}" in (ROOT / "udev/waymark-iio-permissions").read_text()
    # The folder of the socket would vanish with the service.
    assert "RuntimeDirectory" not in service
