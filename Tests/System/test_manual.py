"""Manual pages and completions have every command, option, setting, method and error that there is, and no other."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from harness import shells
from harness.command import waymark
from harness.paths import PROGRAMS, ROOT
from harness.subscriber import Subscriber
from harness.waiting import wait_until

INTERFACES = sorted(ROOT.glob("Sources/Wire/WaymarkInterface/org.waymark.*.varlink"))
PAGES = sorted(ROOT.glob("man/*.scd"))


@functools.cache
def help_of(*command):
    return subprocess.run([PROGRAMS / command[0], *command[1:], "--help"], capture_output=True, text=True).stdout


def offered_commands():
    text = help_of("waymark").split("Commands:")[1]
    return re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[A-Z]", text, re.MULTILINE)


COMMANDS = offered_commands()
assert len(INTERFACES) > 3 and len(PAGES) > 4 and len(COMMANDS) > 10, "what the tests below go through is there"


def options_in(text):
    """Options of a help text with their values, such as `--rate=HZ`; those that all commands have apart."""
    table = "\n".join(re.findall(r"^  (?:-\w,|   ) --\S+", text, re.MULTILINE))
    found = set(re.findall(r"--\S+", table))
    return {option for option in found if option.split("=")[0] not in ("--socket", "--version", "--help")}, found


def source(name):
    return (ROOT / f"man/{name}.scd").read_text()


def plain(text):
    """A source without its markup."""
    return re.sub(r"(?<![A-Za-z0-9])_([^_\n]+)_(?![A-Za-z0-9])", r"\1", text.replace("*", "").replace("\\\n", ""))


def synopses():
    """What the page says may stand behind each command."""
    page = source("waymark.1").replace("\\\n", "").split("# COMMANDS")[1].split("# ENVIRONMENT")[0]
    lines = re.findall(r"^\*([a-z]+(?: [a-z]+)?)\*((?: .*)?)$", page, re.MULTILINE)
    return {command: plain(rest) for command, rest in lines}


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The pages as they are installed, by their names."""
    folder = tmp_path_factory.mktemp("man")
    for page in PAGES:
        with open(folder / page.stem, "wb") as file:
            subprocess.run(
                ["scripts/man-page", page], cwd=ROOT, stdout=file, check=True,
                env={**shells.environment(folder), "SOURCE_DATE_EPOCH": "1700000000"})
    return folder


# waymark(1) and waymarkd(8)

def test_the_page_has_every_command_and_no_other():
    assert set(synopses()) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_has_every_option_and_operand_of_a_command_and_no_other(command):
    text = help_of("waymark", *command.split())
    synopsis = synopses()[command]
    assert set(re.findall(r"--[^\]\s]+", synopsis)) == options_in(text)[0]
    assert re.sub(r"\[--[^\]]*\] ?", "", synopsis).split() == text.splitlines()[0].split("[OPTION...]")[1].split()


def sections_of_commands():
    """What is said of each command below its synopsis, until the next one."""
    page = source("waymark.1").replace("\\\n", "").split("# COMMANDS")[1].split("# ENVIRONMENT")[0]
    parts = re.split(r"^\*([a-z]+(?: [a-z]+)?)\*(?: .*)?$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], map(plain, parts[2::2]), strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_explained(command):
    own = options_in(help_of("waymark", *command.split()))[0]
    page = plain(source("waymark.1"))
    for name, _, value in (option.partition("=") for option in own):
        # By an entry of its own, or within the text by its name or that of its value.
        entry = re.search(rf"^\t*(?:.*, )?{name}(=\S+)?(, .*)?$", page, re.MULTILINE)
        words = [name] + [value] * bool(re.fullmatch(r"[A-Z0-9]+", value))
        assert entry or any(re.search(rf"(?<![\w-]){word}\b", sections_of_commands()[command]) for word in words), name


def test_every_short_form_is_explained():
    page = plain(source("waymark.1"))
    forms = {
        form for command in ["", *COMMANDS]
        for form in re.findall(r"^  -(\w), (--\S+)", help_of("waymark", *command.split()), re.MULTILINE)}
    assert len(forms) >= 3
    for short, long in forms:
        assert re.search(rf"^\t*-{short}, {re.escape(long)}$", page, re.MULTILINE), long
    offered = set().union(*(options_in(help_of("waymark", *command.split()))[1] for command in ["", *COMMANDS]))
    assert {option.split("=")[0] for option in offered} == set(re.findall(r"--[a-z-]*[a-z]", page.split("# ENV")[0]))


@pytest.mark.parametrize("program", ["waymarkd", "waymark-bridge", "waymark-mqtt", "waymark-beacon", "waymark-voice"])
def test_the_page_of_a_service_has_every_option_and_no_other(program):
    own, offered = options_in(help_of(program))
    [path] = (ROOT / "man").glob(f"{program}.[18].scd")
    page = plain(source(path.stem))
    assert set(re.findall(r"\[(--[^\]]+)\]", page)) == own | {"--socket=PATH"}
    assert set(re.findall(r"^(?:-h, )?(--\S+)$", page, re.MULTILINE)) == offered


@pytest.mark.parametrize("page, program", [
    ("waymark.1", "waymark"), ("waymarkd.8", "waymarkd"), ("waymark-bridge.8", "waymark-bridge"), ("waymark-mqtt.8", "waymark-mqtt"),
    ("waymark-beacon.1", "waymark-beacon"), ("waymark-voice.1", "waymark-voice")])
def test_the_exit_codes_are_those_of_the_help_text(page, program):
    listed = re.findall(r"^\*(\d+)\*$", source(page).split("# EXIT STATUS")[1], re.MULTILINE)
    assert listed == re.findall(r"\b\d+\b", re.search(r"^Exit codes: (.*)$", help_of(program), re.MULTILINE).group(1))


# waymark.toml(5)

def test_the_settings_page_has_every_setting_in_its_section_and_no_other():
    def settings(text, header, key):
        section, found = None, []
        for line in text.splitlines():
            if begun := re.fullmatch(header, line):
                section = begun.group(1)
            elif setting := re.match(key, line):
                found.append((section, setting.group(1), setting.group(2)))
        return found

    configuration = settings((ROOT / "config/waymark.toml").read_text(), r"\[(\w+)\]", r"#([a-z_]+) = (.*)")
    assert len(configuration) > 50
    assert settings(source("waymark.toml.5"), r"## \[(\w+)\]", r"\*([a-z_]+)\* = (.*)") == configuration


# waymark-protocol(7)

def section_of(built, interface):
    text = subprocess.run(
        ["mandoc", "-T", "utf8", "-O", "width=500", built / "waymark-protocol.7"], capture_output=True, text=True,
        check=True).stdout
    return re.sub(r".\x08", "", text).split(f"INTERFACE {interface}\n")[1].split("\nINTERFACE ")[0]


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda path: path.stem)
def test_the_protocol_page_has_every_method_error_and_type_of_an_interface(interface, built):
    section = section_of(built, interface.stem)
    declared = re.findall(r"^(method|error|type) (\w+)", interface.read_text(), re.MULTILINE)
    assert "method" in dict(declared)
    for kind, name in declared:
        assert re.search(rf"^ +{'type ' if kind == 'type' else ''}{name} ?\(", section, re.MULTILINE), name


@pytest.mark.parametrize("interface", INTERFACES, ids=lambda path: path.stem)
def test_the_protocol_page_loses_no_word_of_an_interface(interface, built):
    section = section_of(built, interface.stem)
    declared = re.sub(
        r"^(interface .*|method|error|type)|^ *#:.*", "", interface.read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"[A-Za-z]\w*", declared)) <= set(re.findall(r"[A-Za-z]\w*", section))


def words_of(interface, name):
    """The words of an enumeration, in their order."""
    text = next(path for path in INTERFACES if path.stem == interface).read_text()
    return re.findall(r"\w+", re.search(rf"^type {name} \(([^)]*)\)", text, re.MULTILINE).group(1))


@pytest.mark.parametrize("interface, name, page, section", [
    ("org.waymark.Pose", "Reason", "waymark-protocol.7", "## Reasons"),
    ("org.waymark.Pose", "FrameCause", "waymark-protocol.7", "## Causes"),
    ("org.waymark.Calibration", "Refusal", "waymark-calibration.7", "# REFUSALS"),
])
def test_the_pages_explain_every_word(interface, name, page, section):
    explained = set(re.findall(r"\*([a-zA-Z]+)\*", re.split(r"\n#+ ", source(page).split(f"{section}\n")[1])[0]))
    words = words_of(interface, name)
    assert len(words) > 10
    assert set(words) <= explained


def test_the_protocol_page_explains_every_kind_of_motion():
    section = source("waymark-protocol.7").split("## Motion\n")[1].split("\n## ")[0]
    explained = re.findall(r"^\*(\w+)\*$", section, re.MULTILINE)
    for name in ("org.waymark.Pose", "org.waymark.Status"):
        assert words_of(name, "MotionMode") == explained


# All pages

def test_pages_refer_to_pages_that_exist_and_each_is_referred_to():
    named = {page.stem for page in PAGES}
    referred = set()
    for page in PAGES:
        text = page.read_text()
        assert "# SEE ALSO" in text, page.name
        for name, section in re.findall(r"\*([a-z.-]+)\*\((\d)\)", text):
            if name.startswith("waymark"):
                assert f"{name}.{section}" in named, f"{page.name}: {name}({section})"
                if f"{name}.{section}" != page.stem:
                    referred.add(f"{name}.{section}")
    assert referred == named


def test_documents_that_pages_refer_to_are_installed():
    referred = {name for page in PAGES for name in re.findall(r"share/doc/waymark/([\w.-]*\w)", page.read_text())}
    assert referred
    assert referred <= {path.name for path in [*ROOT.glob("docs/*"), *ROOT.glob("*.md")]}


def test_every_page_is_well_formed(built):
    for page in PAGES:
        done = subprocess.run(
            ["mandoc", "-T", "lint", "-W", "warning", built / page.stem], capture_output=True, text=True)
        assert done.stderr == "", "mandoc has read it"
        # Without it tables are not rendered for lintian of Debian 13, which refuses the page.
        assert (built / page.stem).read_text().startswith("'\\\" t\n"), "tbl is asked for"
        # scdoc ends each paragraph with an empty one, which mandoc skips and reports.
        assert [line for line in done.stdout.splitlines() if "skipping paragraph macro: PP" not in line] == []


# Completions

def test_the_completions_are_those_of_the_help_texts():
    done = subprocess.run([ROOT / "scripts/completions", "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


FILES = {"walk.mcap", "way.gpx", "town.geojson", "gyro.csv", "mag.csv.gz", "board.json", "own.toml", "allan.svg", "notes"}


@pytest.fixture(params=["bash", "zsh", "fish"])
def completed(request, tmp_path, monkeypatch):
    """What the shell completes lines to, in a folder with files and a folder, without a daemon."""
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    for name in FILES:
        (tmp_path / name).touch()
    (tmp_path / "tables").mkdir()
    monkeypatch.setenv("PATH", str(PROGRAMS), prepend=os.pathsep)
    monkeypatch.setenv("WAYMARK_SOCKET", str(tmp_path / "none"))

    def ask(*lines):
        answers = getattr(shells, request.param)(lines, tmp_path)
        return dict(zip(lines, answers, strict=True))

    # bash inserts what it is given; the others quote by themselves.
    ask.spelt = lambda text: {re.sub(r"([ '])", r"\\\1", text) if request.param == "bash" else text}
    return ask


def test_a_shell_completes_every_command(completed):
    wanted = {"waymark ": {command.split()[0] for command in COMMANDS}}
    for command in COMMANDS:
        if " " in command:
            group, word = command.split()
            wanted.setdefault(f"waymark {group} ", set()).add(word)
    assert completed(*wanted) == wanted


def test_a_shell_completes_every_option_of_every_command(completed):
    wanted = {}
    for command in ["waymark", "waymarkd", "waymark-bridge", "waymark-mqtt", "waymark-beacon", "waymark-voice", *(f"waymark {command}" for command in COMMANDS)]:
        wanted[f"{command} --"] = {option.split("=")[0] for option in options_in(help_of(*command.split()))[1]}
    assert completed(*wanted) == wanted


def test_a_shell_completes_values_and_operands(completed):
    folders = {"tables"}
    wanted = {
        "waymark pose --format=": {"json", "geopose"},
        "waymark pose --format g": {"geopose"},
        "waymark --socket /tmp/x places f": {"favorite", "filter", "filters"},
        "waymark --socket=/tmp/x route ": {"to", "set", "show", "clear"},
        "waymark route set --format=poly": {"polyline5", "polyline6"},
        "waymark route set --precision ": {"5", "6"},
        "waymark places near --favorites --li": {"--limit"},
        "waymark calibrate mag --unit=": {"si", "counts"},
        "waymark calibrate reset ": {"gyro", "accel", "mag", "mount", "noise"},
        "waymark record --duration 5 ": folders | {"walk.mcap"},
        "waymark replay ": folders | {"walk.mcap"},
        "waymark replay -o ": folders | {"gyro.csv"},
        "waymark import ": folders,
        "waymark import tables ": folders | {"walk.mcap"},
        "waymark recover ": folders | {"walk.mcap"},
        "waymark places import t": folders | {"town.geojson"},
        "waymark places import ": folders | {"town.geojson", "board.json", "way.gpx", "gyro.csv"},
        "waymark route set --name x ": folders | {"way.gpx", "town.geojson", "board.json"},
        "waymark calibrate mag --from ": folders | {"walk.mcap", "gyro.csv", "mag.csv.gz"},
        "waymark calibrate mag --from=m": {"mag.csv.gz"},
        "waymark calibrate import ": folders | {"board.json"},
        "waymark calibrate noise --svg=": folders | {"allan.svg"},
        "waymark doctor --config ": folders | {"own.toml"},
        "waymarkd --demo --config=": folders | {"own.toml"},
        "waymark-bridge --rate 5 --config=": folders | {"own.toml"},
        "waymark serve --config=": folders | {"own.toml"},
        "waymark --socket ": folders | FILES,
    }
    assert completed(*wanted) == wanted


PLACES = {"cafe", "pharmacy", "tram-stop", "bakery", "library", "bridge", "park", "post", "fountain"}


def test_a_shell_completes_ids_of_places_and_placements_that_the_daemon_knows(completed, simulation, monkeypatch):
    document = {"type": "Feature", "id": "way:7 a'b", "properties": {"name": "Hut"},
                "geometry": {"type": "Point", "coordinates": [8.5418, 47.377]}}
    # The route is placed as soon as the place is known.
    wait_until(lambda: "route/city-walk#1/destination" in waymark("scene", "--json", socket=simulation.socket).stdout, 120)
    assert waymark("places", "import", "-", input=json.dumps(document), socket=simulation.socket).returncode == 0
    assert waymark("places", "filter", "--save=near", socket=simulation.socket).returncode == 0
    plan = {"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"kind": "wall", "level": "0"},
        "geometry": {"type": "LineString", "coordinates": [[8.5418, 47.377], [8.5419, 47.377]]}}]}
    assert waymark("plan", "import", "--id=hall", "-", input=json.dumps(plan), socket=simulation.socket).returncode == 0

    def wait_for(wanted):
        # A shell gives up a completion for which the daemon needs more than a second, as it may on a busy machine.
        answers = {}

        def are_complete():
            answers.update(completed(*wanted))
            return answers == wanted

        wait_until(are_complete, what=lambda: f"{wanted}; it is {answers}")

    other = f"waymark --socket {simulation.socket} places show "
    wait_for({other: PLACES | completed.spelt("way:7 a'b")})
    monkeypatch.setenv("WAYMARK_SOCKET", str(simulation.socket))
    wait_for({
        "waymark places show p": {"pharmacy", "park", "post"},
        "waymark places favorite --remove tr": {"tram-stop"},
        "waymark places filter --use=": {"near"},
        "waymark plan remove ": {"hall"},
        "waymark route to fo": {"fountain"},
    })
    [placements] = wait_until(lambda: [known for known in completed("waymark explain --id ").values() if known])
    assert {"place/cafe", "route/city-walk#1/destination"} <= placements
    assert not [each for each in placements if "/arrow/" in each or not re.match("(place|route)/", each)]


def test_a_shell_completes_nothing_and_says_nothing_where_no_daemon_answers(completed):
    wanted = {"waymark places show ": set(), "waymark explain --id=": set(), "waymark places filter --use ": set()}
    assert completed(*wanted) == wanted


# Examples

def examples(page):
    """The text of literal blocks; backslashes are doubled there."""
    return [block.replace("\\\\", "\\") for block in re.findall(r"^```\n(.*?)^```$", source(page), re.MULTILINE | re.DOTALL)]


def run(example, daemon, shell):
    return subprocess.run(
        [*shell, "-c", example], env={**os.environ, "WAYMARK_SOCKET": str(daemon.socket)}, capture_output=True, text=True,
        timeout=60)


def test_the_python_example_of_the_protocol_page_follows_the_pose(walk):
    example, = [example for example in examples("waymark-protocol.7") if example.startswith("import json")]
    done = run(example, walk, [sys.executable])
    assert (done.returncode, done.stderr) == (0, "")
    assert len(re.findall(r"^\w+ \{'x': .* ms old$", done.stdout, re.MULTILINE)) == 5


@pytest.mark.skipif(not shutil.which("socat"), reason="socat is not installed")
def test_the_shell_example_of_the_protocol_page_shows_a_pose(walk):
    example, = [example for example in examples("waymark-protocol.7") if "socat" in example]
    assert "UNIX-CONNECT:/run/waymark/waymark.sock" in example

    def pose():
        done = run(example.replace("/run/waymark/waymark.sock", str(walk.socket)), walk, ["sh"])
        assert (done.returncode, done.stderr) == (0, "")
        # None is there before the first sample; and socat does not wait for ever on a slow machine.
        return done.stdout and json.loads(done.stdout)["parameters"].get("pose")

    assert wait_until(pose, 60)["frame"] == "scene"


def test_the_example_of_the_frames_page_looks_east():
    example, = [example for example in examples("waymark-frames.7") if "def azimuth" in example]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(90)


def test_a_heading_is_the_azimuth_in_the_scene_less_the_yaw_as_the_frames_page_says(walk):
    example, = [example for example in examples("waymark-frames.7") if "def azimuth" in example]
    page = {}
    exec(example, page)  # For the page's own functions.
    with Subscriber(walk.socket, frame=True) as subscriber:

        def agrees(pose):
            # A yaw read a moment before or after the pose may be a little off: then another pose.
            if not subscriber.frames or pose["headingReference"] != "trueNorth":
                return False
            turn = page["azimuth"](pose["orientation"]) - subscriber.frames[-1]["target"]["yaw"] - pose["heading"]
            return abs((turn + 180) % 360 - 180) < 0.5

        subscriber.wait_for(agrees, 60)
