"""Triggers of the IIOD emulator: those of the devices, and hrtimer triggers as configfs makes them."""
from xml.sax.saxutils import quoteattr

from iiod_emulator_rates import Rates

ENOENT = -2
# What a new hrtimer trigger has.
HRTIMER_RATE = 100
# Out of the way of the numbers of the devices' own triggers.
FIRST_NUMBER = 100


class HrtimerTrigger:
    """A timer that samples every device that is given to it."""

    def __init__(self, number, setting):
        setting = {"name": setting} if isinstance(setting, str) else setting
        self.id, self.name = f"trigger{FIRST_NUMBER + number}", setting["name"]
        self.rates = Rates({"rate_text": "%.3f", **setting}, HRTIMER_RATE)
        self.write_error = setting.get("write_error")

    def xml(self):
        return (f"<device id=\"{self.id}\" name={quoteattr(self.name)}>"
                "<attribute name=\"sampling_frequency\" /></device>")

    def read(self, _, attribute):
        return self.rates.show() if attribute == "sampling_frequency" else ENOENT

    def write(self, _, attribute, text):
        if attribute != "sampling_frequency":
            return ENOENT
        return self.write_error or self.rates.store(text)


class DeviceTrigger:
    """A device's own trigger, which fires at the device's own rate."""

    def __init__(self, device):
        self.id, self.name = f"trigger{device.number}", device.own_trigger

    def xml(self):
        return f"<device id=\"{self.id}\" name={quoteattr(self.name)}></device>"
