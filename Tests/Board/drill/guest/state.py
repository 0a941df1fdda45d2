"""Looks at all that the daemon keeps; prints as JSON what is there and, as `damage`, what is not whole.

    state.py
"""
import json
import pathlib
import sqlite3

STATE = pathlib.Path("/var/lib/waymark")


def database(path, damage):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
    try:
        result = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        if result != ["ok"]:
            damage.append(f"{path}: {result}")
    except sqlite3.DatabaseError as error:
        damage.append(f"{path}: {error}")
    finally:
        connection.close()


def main():
    damage, documents = [], []
    files = sorted(path for path in STATE.rglob("*") if path.is_file())
    for path in files:
        name = str(path.relative_to(STATE))
        if "damaged" in name:
            damage.append(f"{name} was put aside")
        elif path.suffix == ".sqlite":
            database(path, damage)
        elif path.suffix == ".json":
            try:
                json.loads(path.read_text())
                documents.append(name)
            except (ValueError, FileNotFoundError) as error:
                damage.append(f"{name}: {error}")
    print(json.dumps({"damage": damage, "documents": documents, "files": [str(p.relative_to(STATE)) for p in files]}))


main()
