"""Shows the weather where the wearer is at the upper right of the display, in front of the wearer's eyes.

    python3 head_weather.py --url http://127.0.0.1:8080/data/2.5/weather
    WEATHER_KEY=... python3 head_weather.py --url https://api.openweathermap.org/data/2.5/weather --units imperial
    python3 head_weather.py --url ... --key-file ~/.config/weather-key

The service answers as OpenWeather's "current weather" does: to GET with lat, lon, units and appid by JSON with `main.temp` and
`weather[0].description`. There is no default: without --url nothing is asked. The service learns where the wearer is, to
two decimals of a degree, about a kilometre. A key comes from a file or from $WEATHER_KEY; it is neither on the command line nor in
messages, and is sent over https only, or to this computer. Redirects are not followed, proxies are not used.

When the service fails, the last value stays, with its age. Needs the right to make changes (group waymark-change).
"""

import argparse
import collections.abc
import contextlib
import http.client
import ipaddress
import json
import math
import os
import pathlib
import signal
import sys
import time
import typing
import urllib.error
import urllib.parse
import urllib.request

import head_label
import waymark_pose as waymark

#: Longest time of a request to the last byte, beside that of the look-up of the name, which the resolver limits. Unit: seconds.
TIMEOUT = 10.0
#: Longest answer; OpenWeather's have about 500. Unit: bytes.
LONGEST = 65536
#: Longest description that is shown. Unit: characters.
LONGEST_TEXT = 40
#: Sign of the temperature and the values that exist on the earth, by the name of the units.
UNITS = {"metric": ("°C", -100, 70), "imperial": ("°F", -150, 160), "standard": ("K", 170, 345)}


class WeatherError(Exception):
    """A request that failed; the text has neither the address nor the key."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Another address would be given the key."""

    def redirect_request(self, *_: typing.Any) -> None:
        return None


@contextlib.contextmanager
def time_limit(seconds: float) -> collections.abc.Iterator[None]:
    """Ends what takes longer, wherever it waits."""
    def end(*_: object) -> None:
        raise WeatherError(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def read_answer(request: urllib.request.Request) -> bytes:
    opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))
    try:
        with time_limit(TIMEOUT), opener.open(request) as answer:
            found: bytes = answer.read(LONGEST + 1)
    except urllib.error.HTTPError as problem:
        hint = ": check the key" if problem.code in (401, 403) else ""
        raise WeatherError(f"the service answers with status {problem.code}{hint}") from None
    except urllib.error.URLError as problem:
        raise WeatherError(f"the service cannot be reached: {problem.reason}") from None
    except (http.client.HTTPException, OSError, ValueError) as problem:
        raise WeatherError(f"the answer is not HTTP, or was cut off ({type(problem).__name__})") from None
    if len(found) > LONGEST:
        raise WeatherError(f"the answer is longer than {LONGEST} bytes")
    return found


def weather(answer: bytes, units: str) -> str:
    """The label of an answer."""
    sign, least, most = UNITS[units]
    try:
        content = json.loads(answer)
        temperature, description = content["main"]["temp"], content["weather"][0]["description"]
    except (ValueError, RecursionError):
        raise WeatherError("the answer is not JSON") from None
    except (KeyError, IndexError, TypeError):
        raise WeatherError("the answer has no main.temp or no weather[0].description") from None
    if isinstance(temperature, bool) or not isinstance(temperature, int | float) or not least <= temperature <= most:
        raise WeatherError(f"main.temp is no temperature in {sign}: check --units")
    if not isinstance(description, str):
        raise WeatherError("weather[0].description is no text")
    plain = " ".join("".join(each if each.isprintable() else " " for each in description).split())
    return f"{round(temperature)} {sign} {plain[:LONGEST_TEXT]}".strip()


def aged(label: str, seconds: float, usual: float) -> str:
    """The label with its age, where it is older than usual."""
    if seconds <= 1.5 * usual + TIMEOUT:
        return label
    minutes = math.floor(seconds / 60)
    return f"{label}, {minutes} min ago" if minutes < 120 else f"{label}, {minutes // 60} h ago"


def location(client: waymark.Client) -> tuple[float, float] | None:
    """Where the wearer is, coarsely; None while that is not known."""
    try:
        geo = client.call(waymark.POSE_GET_POSE)["pose"].get("geo")
    except waymark.WaymarkError:
        return None
    return (round(geo["latitude"], 2), round(geo["longitude"], 2)) if geo else None


class Service:
    """The service at an address, which is checked."""

    def __init__(self, url: str, units: str, key: str | None) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WeatherError("--url has to begin with http:// or https:// and a host")
        if parts.username or parts.password or "appid" in urllib.parse.parse_qs(parts.query):
            raise WeatherError("--url has a key or password: give it by --key-file or $WEATHER_KEY")
        if key and parts.scheme == "http" and not is_this_computer(parts.hostname):
            raise WeatherError("a key is sent over https only: change --url")
        self._parts, self._units, self._key = parts, units, key

    def ask(self, place: tuple[float, float]) -> str:
        """The label for the weather at a place."""
        query = urllib.parse.parse_qsl(self._parts.query)
        query += [("lat", f"{place[0]:.2f}"), ("lon", f"{place[1]:.2f}"), ("units", self._units)]
        query += [("appid", self._key)] if self._key else []
        address = self._parts._replace(query=urllib.parse.urlencode(query), fragment="")
        request = urllib.request.Request(address.geturl(), headers={"User-Agent": f"waymark/{waymark.__version__}"})
        return weather(read_answer(request), self._units)


def is_this_computer(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def read_key(path: pathlib.Path | None) -> str | None:
    if not path:
        return os.environ.get("WEATHER_KEY") or None
    try:
        key = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as problem:
        raise WeatherError(f"the key cannot be read: {getattr(problem, 'strerror', None) or 'not ASCII'}") from None
    if not key.isalnum() or len(key) > 200:
        raise WeatherError("the file of the key has something else than a key of letters and digits")
    return key


def run(client: waymark.Client, service: Service, interval: float) -> typing.NoReturn:
    label = head_label.HeadLabel(client, "weather", head_label.WEATHER)
    shown, asked_at, shown_at, problem = "", -math.inf, 0.0, ""
    while True:
        now = time.monotonic()
        if now - asked_at >= interval and (place := location(client)):
            asked_at = now
            try:
                shown, shown_at, problem = service.ask(place), now, ""
            except WeatherError as failure:
                head_label.report("weather", str(failure), problem)
                problem = str(failure)
        if shown:
            label.show(aged(shown, now - shown_at, interval))
        time.sleep(min(head_label.RENEWAL, interval))


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows the weather in front of the wearer's eyes.")
    parser.add_argument("--url", required=True, help="address of a service that answers as OpenWeather does")
    parser.add_argument("--units", choices=UNITS, default="metric", help="(default: metric)")
    parser.add_argument("--key-file", type=pathlib.Path, help="file with the API key (default: $WEATHER_KEY, or no key)")
    parser.add_argument("--interval", type=float, default=600, help="time between requests in seconds (default: 600)")
    options = parser.parse_args()
    if not 1 <= options.interval <= 86400:
        parser.error("--interval has to be from 1 to 86400")
    try:
        service = Service(options.url, options.units, read_key(options.key_file))
    except (WeatherError, ValueError) as problem:
        print(f"weather: {problem}", file=sys.stderr)
        return 2
    with waymark.Client() as client, contextlib.suppress(KeyboardInterrupt):
        run(client, service, options.interval)
    return 0


if __name__ == "__main__":
    sys.exit(main())
