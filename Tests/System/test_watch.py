"""The live view of `waymark watch` in a terminal, by tmux, of the demonstration."""
import re
import signal

import pytest

from harness import command
from harness.command import PROGRAM
from harness.daemon import Daemon
from harness.tmux import Terminal
from harness.waiting import wait_until


@pytest.fixture(scope="module")
def demonstration():
    daemon = Daemon()
    try:
        daemon.start("--demo", "--socket", daemon.socket)
        daemon.wait_for_state("localized")
        yield daemon
    finally:
        daemon.remove()


def watching(daemon, *arguments, columns=80, rows=24, **environment):
    return Terminal(
        [PROGRAM, "watch", *arguments], {**command.environment(daemon.socket), **environment}, columns=columns, rows=rows)


def is_alternate(terminal):
    return terminal.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"


def has_cursor(terminal):
    return terminal.tmux("display-message", "-p", "#{cursor_flag}").strip() == "1"


def wait_for_all(terminal, *patterns):
    """Waits until all patterns stand on the screen: poses, scene and health come over connections of their own."""
    def found():
        lines = terminal.lines
        text = "\n".join(lines)
        return lines if all(re.search(pattern, text) for pattern in patterns) else None
    return wait_until(found, what=lambda: f"{patterns} on the screen; there is:\n{terminal.text}")


def wait_for_end(terminal, code):
    """Waits until the program has ended with this code and the terminal is as before."""
    terminal.wait_for(f"ended with {code}")
    assert not is_alternate(terminal) and has_cursor(terminal)
    assert "localized" not in terminal.text


def test_a_terminal_of_80_columns_and_24_rows_has_everything(demonstration):
    with watching(demonstration) as terminal:
        lines = wait_for_all(terminal, "true north", r"GNSS receiver +1\.0 Hz", "m left")
        text = "\n".join(lines)
        assert is_alternate(terminal) and not has_cursor(terminal)
        assert len(lines) == 24
        assert lines[0].startswith("● localized") and lines[0].endswith("UTC")
        for pattern in (
                r"▲ \d+\.\d° [NESW]+ ±\d+\.\d°  from true north", r"pitch [+-]\d+°  roll [+-]\d+°", r"100 m",
                r"±\d+\.\d m  ±\d+\.\d m up  ±\d+\.\d°", r"47\.\d{7}° 8\.\d{7}°", r"generation 1", r"inertial unit +200\.0 Hz",
                r"magnetometer +50\.0 Hz", r"Turn \w+ in \d+\.\d m", r"⚑ Old Town, \d+ m left"):
            assert re.search(pattern, text), f"{pattern} in\n{text}"


def test_a_camera_stands_below_the_sensors():
    daemon = Daemon()
    try:
        daemon.start("--demo", "--camera", "--socket", daemon.socket)
        with watching(daemon) as terminal:
            wait_for_all(terminal, r"GNSS receiver +1\.0 Hz", r"● camera +(29|30|31)\.\d Hz +\d+ ms")
        with watching(daemon, columns=120, rows=40) as terminal:
            wait_for_all(terminal, r"● camera .* trusted")
    finally:
        daemon.remove()


def test_larger_terminals_have_more_and_smaller_ones_what_matters(demonstration):
    with watching(demonstration, columns=120, rows=40) as terminal:
        text = "\n".join(wait_for_all(terminal, "orientation tracked", "m left"))
        assert "position" in text and "sources" in text and "orientation tracked" in text
        for columns, rows in ((40, 12), (20, 5), (2, 2), (300, 100), (80, 24)):
            terminal.tmux("resize-window", "-x", columns, "-y", rows)
            wait_until(lambda rows=rows: len(terminal.lines) == rows)
            if columns >= 40:
                # Until it is drawn anew, the terminal has what fits of the former view.
                wait_for_all(terminal, r"\A● localized", r"\d+\.\d° [NESW]+ ±", r"Turn \w+ in|arrived|Old Town")
            assert is_alternate(terminal)


def test_no_color_has_none_and_other_locales_have_ascii(demonstration):
    with watching(demonstration, NO_COLOR="1") as terminal:
        wait_for_all(terminal, "pitch ", "m left")
        assert "\x1b[" not in terminal.coloured
    with watching(demonstration, LC_ALL="C") as terminal:
        wait_for_all(terminal, "pitch ", "m left")
        assert terminal.text.isascii(), terminal.text
    with watching(demonstration) as terminal:
        wait_for_all(terminal, "pitch ", "m left")
        assert "\x1b[48;5;25m" in terminal.coloured


def test_a_key_changes_the_range_of_the_radar(demonstration):
    with watching(demonstration) as terminal:
        terminal.wait_for("100 m")
        terminal.press("-")
        terminal.wait_for("200 m")
        terminal.press("+", "+")
        terminal.wait_for("50 m")


@pytest.mark.parametrize("key, code", [("q", 0), ("C-c", 130)])
def test_a_key_gives_the_terminal_back(demonstration, key, code):
    with watching(demonstration) as terminal:
        terminal.wait_for("localized")
        assert not has_cursor(terminal)
        terminal.press(key)
        wait_for_end(terminal, code)


def test_count_and_timeout_end_the_view(demonstration):
    with watching(demonstration, "-n", "3") as terminal:
        wait_for_end(terminal, 0)
    with watching(demonstration, "--timeout", "1") as terminal:
        wait_for_end(terminal, 0)


def test_a_stop_gives_the_terminal_back_until_the_view_goes_on(demonstration):
    with watching(demonstration) as terminal:
        # A shell that knows jobs.
        terminal.wait_for("localized")
        terminal.press("q")
        terminal.wait_for("ended with 0")
        shell = ["env", "PS1=prompt: ", "bash", "--norc", "--noprofile", "-i"]
        terminal.tmux("respawn-window", "-k", *shell)
        terminal.wait_for("prompt:")
        terminal.press(f"WAYMARK_SOCKET={demonstration.socket} {PROGRAM} watch", "Enter")
        terminal.wait_for("● localized")
        terminal.press("C-z")
        terminal.wait_for("Stopped")
        assert not is_alternate(terminal) and has_cursor(terminal)
        terminal.press("fg", "Enter")
        terminal.wait_for("● localized")
        assert is_alternate(terminal) and not has_cursor(terminal)
        terminal.press("q")
        wait_until(lambda: not is_alternate(terminal))


def test_without_a_daemon_it_ends_with_3_and_the_terminal_is_untouched(tmp_path):
    with Terminal([PROGRAM, "watch"], command.environment(tmp_path / "none")) as terminal:
        text = "\n".join(terminal.wait_for("ended with 3"))
        assert "no daemon answers" in text and "waymarkd --demo" in text.replace("\n", "")


def test_a_daemon_that_goes_is_reported_and_one_that_comes_is_shown():
    daemon = Daemon()
    try:
        daemon.start("--demo", "--socket", daemon.socket)
        daemon.wait_for_state("localized")
        with watching(daemon) as terminal:
            terminal.wait_for("● localized")
            daemon.program.end(signal.SIGKILL)
            text = "\n".join(wait_for_all(terminal, r"daemon away since \d\d:\d\d:\d\d UTC \(\d+ s\)"))
            assert text.startswith("● daemon away")
            terminal.wait_for("start it with")
            daemon.start("--demo", "--socket", daemon.socket)
            terminal.wait_for("waymarkd 0.")
            wait_for_all(terminal, r"● (aligning|localized)")
            assert "daemon away" not in terminal.text
            terminal.press("q")
            wait_for_end(terminal, 0)
    finally:
        daemon.remove()
