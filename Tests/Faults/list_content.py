"""What a list holds, as a client knows it: rows by key, and two digests of them."""

import json
import zlib

MODULUS = 1 << 64


def canonical(fields):
    """Canonical JSON (RFC 8785) of what this harness puts into fields: text and whole numbers under ASCII names."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Content:
    """Rows by key. Its fingerprint costs what changed, not what it holds."""

    def __init__(self):
        self.rows = {}
        self.fingerprint = 0

    def set(self, key, position, fields=None):
        """Puts a row. Without fields it only moves; False where there is none to move."""
        before = self.rows.get(key)
        if fields is None and before is None:
            return False
        self.put(key, position, before[1] if fields is None else canonical(fields))
        return True

    def put(self, key, position, text):
        self.remove(key)
        self.rows[key] = (position, text)
        self.fingerprint = (self.fingerprint + hash((key, position, text))) % MODULUS

    def remove(self, key):
        before = self.rows.pop(key, None)
        if before is not None:
            self.fingerprint = (self.fingerprint - hash((key, *before))) % MODULUS

    def ordered(self):
        """[(key, canonical fields)] in order of position."""
        return [(key, row[1]) for key, row in sorted(self.rows.items(), key=lambda pair: pair[1][0])]

    def crc32(self):
        return crc32(self.ordered())


def crc32(rows):
    """As `digest` has it: CRC-32 of key TAB fields LF for each row, in order."""
    return zlib.crc32("".join(f"{key}\t{fields}\n" for key, fields in rows).encode())
