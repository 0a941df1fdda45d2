"""A daemon with the rights of the default settings, by groups in an account file that only its programs see."""
from .rights import CALLERS

# Accounts that no file of this machine has.
USER = 64_100
GROUPS = {"waymark": 64_201, "waymark-change": 64_202, "waymark-aid": 64_203}


def numbers(caller):
    return [GROUPS[name] for name in CALLERS[caller]]


def with_groups(folder):
    """The prefix of a command that sees an account file with our groups in place of the system's."""
    with open("/etc/group", encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line.split(":")[0] not in GROUPS]
    lines += [f"{name}:x:{number}:" for name, number in GROUPS.items()]
    (folder / "group").write_text("\n".join(lines) + "\n")
    mount = 'mount --bind "$0" /etc/group && exec "$@"'
    return ("unshare", "--mount", "sh", "-c", mount, str(folder / "group"))


def on_default_rights(made):
    """A daemon whose settings leave socket and rights as they are by default, save for the path."""
    for key in ("socket_mode", "socket_group", "change_group"):
        made.settings["service"].pop(key)
    made.configure()
    # The socket's own mode decides who may connect.
    made.folder.chmod(0o755)
    return made
