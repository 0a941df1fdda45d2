"""The daemon's configuration as sections of keys, and as TOML."""


def toml(sections):
    """Settings by section as a TOML text."""
    def value(setting):
        if isinstance(setting, bool):
            return "true" if setting else "false"
        if isinstance(setting, str):
            return '"' + setting.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if isinstance(setting, (list, tuple)):
            return "[" + ", ".join(value(part) for part in setting) + "]"
        if isinstance(setting, dict):
            return "{ " + ", ".join(f"{key} = {value(part)}" for key, part in setting.items()) + " }"
        return repr(setting)

    lines = []
    for section, keys in sections.items():
        lines += [f"[{section}]"] + [f"{key} = {value(setting)}" for key, setting in keys.items()] + [""]
    return "\n".join(lines)


def merged(*layers):
    """Settings by section, later layers over earlier ones."""
    result = {}
    for layer in layers:
        for section, keys in layer.items():
            result.setdefault(section, {}).update(keys)
    return result


def rates(inertial=None, magnetic=None):
    """Settings that ask for these rates of the inertial sensors and the magnetometer; None: as by default."""
    asked = {"accelerometer": inertial, "gyroscope": inertial, "magnetometer": magnetic}
    return {f"iio.{sensor}": {"rate_hz": rate} for sensor, rate in asked.items() if rate is not None}


def private(folder):
    """Settings by which a daemon keeps to a folder of its own, and needs no group of the system."""
    return {
        "service": {"socket": f"{folder}/socket", "socket_group": "", "change_group": ""},
        "recording": {"directory": f"{folder}/recordings", "minimum_free_megabytes": 0},
        "state": {"directory": f"{folder}/state"},
    }
