"""A program that writes a SQLite database on a slow disk: slow_writer.py DATABASE SECONDS STATEMENT

Each write to the log beside the database takes so long, so a transaction stands in the log for a while before it is
there. The calls are those of SQLite's own file system layer, replaced by its xSetSystemCall:
https://www.sqlite.org/c3ref/vfs.html
"""

import ctypes
import ctypes.util
import os
import sqlite3
import sys
import time

PATH, SECONDS, STATEMENT = sys.argv[1], float(sys.argv[2]), sys.argv[3]


class Layer(ctypes.Structure):
    """sqlite3_vfs, with the members in the middle that nobody here asks for left without a name."""

    _fields_ = [
        ("version", ctypes.c_int), ("file_size", ctypes.c_int), ("longest_path", ctypes.c_int),
        ("unnamed", ctypes.c_void_p * 16), ("set_system_call", ctypes.c_void_p),
    ]  # fmt: skip


@ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64)
def pwrite(file, start, count, offset):
    written = os.pwrite(file, ctypes.string_at(start, count), offset)
    if os.readlink(f"/proc/self/fd/{file}").endswith("-wal"):
        time.sleep(SECONDS)
    return written


library = ctypes.CDLL(ctypes.util.find_library("sqlite3"))
library.sqlite3_vfs_find.restype = ctypes.POINTER(Layer)
layer = library.sqlite3_vfs_find(None)
replace = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Layer), ctypes.c_char_p, ctypes.c_void_p)(
    layer.contents.set_system_call
)
for name in [b"pwrite", b"pwrite64"]:
    assert replace(layer, name, ctypes.cast(pwrite, ctypes.c_void_p)) == 0, name
connection = sqlite3.connect(PATH, isolation_level=None)
connection.execute(STATEMENT)
print(time.time(), flush=True)
sys.stdin.read()
connection.close()
# The library calls what Python would have taken down by then.
os._exit(0)
