"""The folder in which clients look for a demonstration of this user."""


def with_demonstration(folder, socket):
    """Environment in which a daemon's socket and pose ring are those of this user's demonstration; `folder` is made."""
    folder.mkdir(mode=0o700)
    (folder / "waymark.sock").symlink_to(socket)
    (folder / "waymark.sock.ring").symlink_to(f"{socket}.ring")
    return {"XDG_RUNTIME_DIR": str(folder), "WAYMARK_SOCKET": "", "WAYMARK_POSE_RING": ""}
