"""One call to the daemon: prints the reply's parameters, or the error, as JSON.

    call.py METHOD [PARAMETERS]
"""
import json
import sys

from wire import Connection, Refused

try:
    print(json.dumps(Connection().call(sys.argv[1], json.loads(sys.argv[2]) if len(sys.argv) > 2 else {})))
except Refused as refusal:
    sys.exit(f"{refusal}")
