"""How a virtual driver of the IIOD emulator lists, parses and rounds its sampling rate."""
import re

EINVAL = -22
# What the kernel's kstrtoint and iio_str_to_fixpoint take: no exponent, no blank between.
FORMS = {"integer": r"[+-]?\d+", "whole": r"[+-]?\d+(\.0*)?", "decimal": r"[+-]?\d+(\.\d*)?"}
# Numbers that differ less are one rate: drivers compare micro- or millihertz.
SAME = 1e-6


class Rates:
    """The sampling rate of one device or trigger; its settings are those of DEVICE in the emulator's head."""

    def __init__(self, setting, rate):
        self.rate = float(setting.get("rate", rate))
        self.form = FORMS[setting.get("rate_parse", "decimal")]
        self.text = setting.get("rate_text", "%.6f")
        self.rounding = setting.get("rate_rounding", "exact" if setting.get("rates_listed") else "up")
        self.divided = setting.get("rate_divided")
        self.fixed = setting.get("rate_fixed", False)
        self.range = None
        self.list = setting.get("rates_text")
        self.choices = sorted(setting.get("rates", []))
        if setting.get("rates_listed"):
            self.list = " ".join(f"{rate:.6f}" for rate in setting["rates"])
        elif self.list and self.list.startswith("["):
            self.range = [float(word) for word in self.list.strip("[]").split()]
        elif self.list and not self.choices:
            self.choices = sorted(float(word) for word in self.list.split())

    def show(self):
        return self.text % self.rate + "\n"

    def store(self, text):
        """What a write of the attribute answers: 0 or an error."""
        if self.fixed or not re.fullmatch(self.form, text):
            return EINVAL
        wanted = float(text)
        if not wanted > 0:
            return EINVAL
        granted = self.grant(wanted)
        if granted is None:
            return EINVAL
        self.rate = granted
        return 0

    def grant(self, wanted):
        """The rate that the driver makes of a request; None where it refuses."""
        if self.divided:
            return self.divided / max(round(self.divided / wanted), 1)
        if self.range:
            first, step, last = self.range
            steps = (wanted - first) / step
            on_step = abs(steps - round(steps)) < SAME * max(steps, 1)
            return wanted if on_step and first - SAME <= wanted <= last + SAME else None
        if not self.choices:
            return wanted
        if self.rounding == "exact":
            return next((rate for rate in self.choices if abs(rate - wanted) < SAME), None)
        if self.rounding == "nearest":
            return min(self.choices, key=lambda rate: abs(rate - wanted))
        return next((rate for rate in self.choices if rate >= wanted - SAME), self.choices[-1])
