"""waymark-voice: the daemon's announcements in the wearer's language, written or spoken by the real speech-dispatcher."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile

import pytest
from waymark_interface import SCENE_CLEAR_ROUTE, SCENE_SET_ROUTE

from harness.paths import PROGRAMS
from harness.process import ENDS_WITH_US, Program
from harness.stand_in import StandIn
from harness.waiting import wait_until
from harness.wearer import ScriptedDaemon


class SpeechDispatcher:
    """The real one, whose only output module writes what it speaks into a file, at a sound device that is not there."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="spd", dir="/tmp")
        self.socket, self.output = f"{self.folder}/socket", f"{self.folder}/spoken"
        self.process = None
        os.mkdir(f"{self.folder}/modules")
        # No other one is started in its place.
        os.makedirs(f"{self.folder}/config/speech-dispatcher")
        self.write("config/speech-dispatcher/speechd.conf", "DisableAutoSpawn\n")
        self.write("asound.conf", "pcm.default { type null }\nctl.default { type null }\n")
        self.write("speechd.conf", 'DefaultLanguage "en"\nAudioOutputMethod "alsa"\nDefaultModule file\n'
                   'AddModule "file" "sd_generic" "file.conf"\n')
        self.write("modules/file.conf",
                   f'GenericExecuteSynth "printf \'%s %s\\\\n\' \\\'$LANGUAGE\\\' \\\'$DATA\\\' >>{self.output}"\n'
                   + "".join(f'GenericLanguage "{each}" "{each}" "utf-8"\nAddVoice "{each}" "MALE1" "{each}"\n'
                             for each in ("en", "de")))

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    @property
    def environment(self):
        return {"SPEECHD_ADDRESS": f"unix_socket:{self.socket}", "ALSA_CONFIG_PATH": f"{self.folder}/asound.conf",
                "XDG_CONFIG_HOME": f"{self.folder}/config"}

    def start(self):
        self.process = subprocess.Popen(
            [*ENDS_WITH_US, "speech-dispatcher", "--run-single", "-C", self.folder, "-S", self.socket, "-L", self.folder, "-P",
             f"{self.folder}/pid"], env=os.environ | self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(self.socket), what="speech-dispatcher listens")

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    @contextlib.contextmanager
    def stopped(self):
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @property
    def spoken(self):
        try:
            with open(self.output, encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []


@pytest.fixture
def dispatcher():
    if not shutil.which("speech-dispatcher"):
        pytest.skip("there is no speech-dispatcher: scripts/require test")
    made = SpeechDispatcher()
    yield made
    made.stop()
    shutil.rmtree(made.folder)


class Voice(Program):
    """waymark-voice, with what it writes in files."""

    def __init__(self, folder, socket, *arguments, **environment):
        self.output = folder / "lines"
        environment = {**os.environ, "LC_ALL": "", "LC_MESSAGES": "", "LANG": "C", **environment}
        with open(self.output, "wb") as file:
            super().__init__([PROGRAMS / "waymark-voice", "--socket", socket, *arguments], folder / "voice.log",
                             stdout=file, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        code = self.end()
        assert failure or code == 0, self.log

    @property
    def lines(self):
        return self.output.read_text().splitlines()

    def wait_for_log(self, text):
        wait_until(lambda: text in self.log, what=lambda: f"{text!r} in the log:\n{self.log}")

    def wait_for_line(self, text):
        wait_until(lambda: text in self.lines, what=lambda: f"{text!r} in {self.lines}")


def route(name, east):
    """A route from the beginning of the simulated walk."""
    line = {"type": "LineString", "coordinates": [[7.6261, 51.9607], [7.6261 + east, 51.9607]]}
    return {"document": json.dumps(line), "format": "geojson", "name": name}


def test_announcements_are_spoken_in_german_each_once_and_in_order(walk, dispatcher, tmp_path):
    dispatcher.start()
    before = walk.status()["subscriptions"]
    names = ["Café Rose", "Zum 'Ochsen'", "Park"]
    with Voice(tmp_path, walk.socket, LANG="de_DE.UTF-8", **dispatcher.environment) as voice:
        wait_until(lambda: walk.status()["subscriptions"] > before, what=lambda: f"a subscription\n{voice.log}")
        assert dispatcher.spoken == []
        for number, name in enumerate(names, 1):
            walk.call(SCENE_SET_ROUTE, route(name, 0.01 * number))
            wait_until(lambda: len(dispatcher.spoken) >= number, what=lambda: f"{name} in {dispatcher.spoken}\n{voice.log}")
    walk.call(SCENE_CLEAR_ROUTE)
    starts = [line for line in dispatcher.spoken if line.startswith("de Route zum Ziel")]
    assert [line.split(",")[0] for line in starts] == [f"de Route zum Ziel {name}" for name in names], dispatcher.spoken
    assert all(line.endswith(("Kilometer", "Meter")) for line in starts), starts
    assert len(set(dispatcher.spoken)) == len(dispatcher.spoken)


@pytest.fixture
def daemon(tmp_path):
    """A stand-in that announces what a test wants, and its socket."""
    script = ScriptedDaemon()
    script.socket = str(tmp_path / "daemon.sock")
    with StandIn(script.socket, script.replies()):
        yield script


def announce(daemon, text, about="start", **more):
    daemon.emit(kind="announcement", about=about, route="r", text=text, **more)


def test_what_is_not_there_is_named_and_waited_for(daemon, dispatcher, tmp_path):
    announce(daemon, "before the start")
    with Voice(tmp_path, daemon.socket, "--language=fr", **dispatcher.environment) as voice:
        voice.wait_for_log("speech-dispatcher cannot be reached")
        assert "install the package speech-dispatcher" in voice.log
        dispatcher.start()
        announce(daemon, "now")
        voice.wait_for_log("no voice for the language 'fr'")
        wait_until(lambda: dispatcher.spoken, what=lambda: f"speech, after {voice.log}")
        # It goes on with another one.
        dispatcher.stop()
        announce(daemon, "meanwhile")
        voice.wait_for_log("speech-dispatcher has ended the connection")
        dispatcher.start()
        announce(daemon, "later")
        wait_until(lambda: any("later" in line for line in dispatcher.spoken), what=lambda: voice.log)
    spoken = [line.partition(" ")[2] for line in dispatcher.spoken]
    assert spoken[0] == "now" and spoken[-1] == "later" and "before the start" not in spoken


def test_a_dispatcher_that_hangs_holds_nothing_up(daemon, dispatcher, tmp_path):
    dispatcher.start()
    with Voice(tmp_path, daemon.socket, **dispatcher.environment) as voice:
        wait_until(lambda: daemon.subscribers, what=lambda: voice.log)
        announce(daemon, "one")
        wait_until(lambda: dispatcher.spoken, what=lambda: voice.log)
        with dispatcher.stopped():
            announce(daemon, "two", about="offRoute")
            voice.wait_for_log("does not answer")
            voice.wait_for_log("it does not answer")
        announce(daemon, "three", about="turn")
        wait_until(lambda: any("three" in line for line in dispatcher.spoken), what=lambda: voice.log)


def test_lines_repetition_and_silence(daemon, tmp_path):
    with Voice(tmp_path, daemon.socket, "--print") as voice:
        wait_until(lambda: daemon.subscribers, what=lambda: voice.log)
        announce(daemon, "one")
        daemon.emit(kind="arrived", text="no announcement")
        announce(daemon, "old", about="offRoute", time={"sec": 1, "nsec": 0})
        announce(daemon, "two\tlines\nof text", about="turn", distance=5.0)
        voice.wait_for_line("two lines of text")
        voice.send(signal.SIGUSR1)
        wait_until(lambda: voice.lines.count("two lines of text") == 2, what=lambda: voice.lines)
        voice.send(signal.SIGUSR2)
        voice.wait_for_log("silent")
        announce(daemon, "silent one")
        # It has come before the next, which is about the same.
        announce(daemon, "silent two")
        wait_until(lambda: voice.send(signal.SIGUSR1) or "silent two" in voice.lines, what=lambda: voice.lines)
        voice.send(signal.SIGUSR2)
        voice.wait_for_log("speaking")
        announce(daemon, "three")
        voice.wait_for_line("three")
    heard = [line for number, line in enumerate(voice.lines) if number == 0 or line != voice.lines[number - 1]]
    assert heard == ["one", "two lines of text", "silent two", "three"]


@pytest.mark.parametrize("arguments, problem", [
    (["--language", "de_DE"], "'de_DE' is not a list of languages"), (["--rate", "101"], "'101' is not a whole number"),
], ids=["language", "rate"])
def test_wrong_options_are_named(arguments, problem):
    done = subprocess.run([PROGRAMS / "waymark-voice", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and problem in done.stderr
