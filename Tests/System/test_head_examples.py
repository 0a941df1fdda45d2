"""The examples that show a clock and the weather in front of the wearer's eyes, with the real daemon and a service on
this computer."""
import contextlib
import http.server
import importlib.util
import json
import os
import re
import sys
import threading
import time

import pytest
from waymark_interface import SCENE_GET_SCENE

from harness.client_programs import PYTHON_CLIENT, python_environment
from harness.process import Program
from harness.waiting import wait_until

pytestmark = pytest.mark.library

EXAMPLES = PYTHON_CLIENT / "examples"
GOOD = {"main": {"temp": 18.6}, "weather": [{"description": "light\nrain"}]}
KEY = "0123456789abcdefSECRET"


class WeatherService:
    """Answers each request by a function of the handler, and keeps the paths."""

    def __init__(self, answer):
        self.paths = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                service.paths.append(self.path)
                # A client that has given up reads nothing more.
                with contextlib.suppress(OSError):
                    answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/data/2.5/weather"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def reply(content, status=200, **headers):
    """A function that answers so."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()

    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
    return answer


def trickle(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.01)


@pytest.fixture(scope="module")
def weather():
    """The module of the example."""
    sys.path[:0] = [str(EXAMPLES), str(PYTHON_CLIENT)]
    made = importlib.util.spec_from_file_location("head_weather", EXAMPLES / "head_weather.py")
    module = importlib.util.module_from_spec(made)
    sys.modules["head_weather"] = module
    made.loader.exec_module(module)
    yield module
    sys.path[:2] = []


def start(folder, daemon, name, *arguments, **environment):
    return Program(
        [sys.executable, "-W", "error", EXAMPLES / f"{name}.py", *map(str, arguments)], folder / f"{name}.log",
        env=python_environment(WAYMARK_SOCKET=str(daemon.socket), **environment))


def label(daemon, category):
    placements = daemon.call(SCENE_GET_SCENE)["scene"]["changed"]
    return next((each for each in placements if each["id"] == f"anchor/{category}"), None)


def test_the_clock_changes_each_second_and_goes_with_its_program(walk, tmp_path):
    program = start(tmp_path, walk, "head_clock", "--seconds")
    try:
        shown = wait_until(lambda: label(walk, "clock"))
        assert shown["lock"] == "head" and re.fullmatch(r"\d\d:\d\d:\d\d", shown["name"])
        assert (shown["position"]["x"], shown["position"]["y"], shown["position"]["z"]) == (-0.25, 0.18, -1)
        wait_until(lambda: label(walk, "clock")["name"] != shown["name"])
    finally:
        program.end()
    wait_until(lambda: not label(walk, "clock"))


def test_the_weather_is_asked_for_where_the_wearer_is_and_stays_when_the_service_fails(walk, tmp_path):
    answers = [reply(GOOD), reply({}, 500)]
    with WeatherService(lambda handler: answers[min(len(service.paths), 2) - 1](handler)) as service:
        program = start(tmp_path, walk, "head_weather", "--url", service.url, "--interval", 1, WEATHER_KEY=KEY)
        try:
            shown = wait_until(lambda: label(walk, "weather"))
            assert shown["lock"] == "head" and shown["name"] == "19 °C light rain" and shown["position"]["x"] == 0.25
            wait_until(lambda: "status 500" in program.log)
            assert label(walk, "weather")["name"] == "19 °C light rain"
        finally:
            program.end()
        assert service.paths[0].split("?")[1] == f"lat=47.38&lon=8.54&units=metric&appid={KEY}"
        assert KEY not in program.log


def test_an_older_value_has_its_age(weather):
    assert weather.aged("19 °C", 600, 600) == "19 °C"
    assert weather.aged("19 °C", 1500, 600) == "19 °C, 25 min ago"
    assert weather.aged("19 °C", 3 * 3600, 600) == "19 °C, 3 h ago"


@pytest.mark.parametrize("answer, message", [
    (reply({}, 401), "status 401: check the key"), (reply({}, 404), "status 404"),
    (reply({}, 302, Location="http://127.0.0.1:1/"), "status 302"), (reply(b"<html>"), "is not JSON"),
    (reply(b"[" * 50_000), "is not JSON"), (reply(b"\xff"), "is not JSON"), (reply(b" " * 70_000), "longer than 65536"),
    (reply({"main": {}}), "no main.temp"), (reply([]), "no main.temp"), (reply({**GOOD, "weather": []}), "no main.temp"),
    (reply({**GOOD, "main": {"temp": "1"}}), "no temperature in °C"), (reply({**GOOD, "main": {"temp": 291}}), "check --units"),
    (reply(b'{"main": {"temp": NaN}, "weather": [{"description": ""}]}'), "no temperature"),
    (reply({**GOOD, "weather": [{"description": 3}]}), "is no text"), (trickle, "no answer within 0.2 s"),
    (lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), "not HTTP"),
])
def test_a_wrong_answer_is_a_clear_error_without_the_key(weather, monkeypatch, answer, message):
    if answer is trickle:
        monkeypatch.setattr(weather, "TIMEOUT", 0.2)
    with WeatherService(answer) as service:
        with pytest.raises(weather.WeatherError, match=re.escape(message)) as failure:
            weather.Service(service.url, "metric", KEY).ask((47.38, 8.54))
        assert KEY not in str(failure.value) and failure.value.__cause__ is None
    with pytest.raises(weather.WeatherError, match="cannot be reached"):
        weather.Service(service.url, "metric", KEY).ask((47.38, 8.54))


def test_a_description_is_one_short_line(weather):
    shown = weather.weather(json.dumps({"main": {"temp": -0.4}, "weather": [{"description": "a\u202e\x1b\n" * 90}]}), "imperial")
    assert shown.startswith("0 °F a a") and shown.isprintable() and len(shown) < 50


@pytest.mark.parametrize("url, message", [
    ("ftp://127.0.0.1/", "http://"), ("http://", "a host"), ("http://u:p@127.0.0.1/", "--key-file"),
    ("https://example.org/?appid=x", "--key-file"), ("http://example.org/", "https only"),
])
def test_an_address_that_would_give_the_key_away_is_refused(weather, url, message):
    with pytest.raises(weather.WeatherError, match=message):
        weather.Service(url, "metric", KEY)


def test_the_key_comes_from_a_file_or_the_environment(weather, monkeypatch, tmp_path):
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n")
    assert weather.read_key(path) == KEY
    monkeypatch.setenv("WEATHER_KEY", "other")
    assert weather.read_key(None) == "other"
    for content in (b"a b", b"", b"\xff", b"x" * 300):
        path.write_bytes(content)
        with pytest.raises(weather.WeatherError, match="key"):
            weather.read_key(path)
    os.remove(path)
    with pytest.raises(weather.WeatherError, match="No such file"):
        weather.read_key(path)
