"""A screen without a monitor that can really be touched: Xorg with its `dummy` video and `inputtest` input drivers.

They come with the packages xserver-xorg-video-dummy and xserver-xorg-core. A test writes to a socket what fingers do; from
there on it is a touch like any other, to X, to the toolkit and to the browser.
"""

import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path

WIDTH, HEIGHT = 1400, 1000

CONFIGURATION = f"""
Section "ServerFlags"
    Option "AutoAddDevices" "false"
    Option "AutoEnableDevices" "false"
    Option "DontVTSwitch" "true"
    Option "BlankTime" "0"
EndSection
Section "Device"
    Identifier "card"
    Driver "dummy"
    VideoRam 65536
EndSection
Section "Monitor"
    Identifier "monitor"
    HorizSync 5-1000
    VertRefresh 5-200
    Modeline "only" 121.75 {WIDTH} 1488 1632 1864 {HEIGHT} 1003 1013 1036
EndSection
Section "Screen"
    Identifier "screen"
    Device "card"
    Monitor "monitor"
    DefaultDepth 24
    SubSection "Display"
        Depth 24
        Modes "only"
        Virtual {WIDTH} {HEIGHT}
    EndSubSection
EndSection
Section "InputDevice"
    Identifier "touch"
    Driver "inputtest"
    Option "SocketPath" "FOLDER/touch"
    Option "DeviceType" "Touch"
    Option "TouchCount" "5"
EndSection
Section "InputDevice"
    Identifier "mouse"
    Driver "inputtest"
    Option "SocketPath" "FOLDER/mouse"
    Option "DeviceType" "PointerAbsolute"
EndSection
Section "InputDevice"
    Identifier "keyboard"
    Driver "inputtest"
    Option "SocketPath" "FOLDER/keyboard"
    Option "DeviceType" "Keyboard"
EndSection
Section "ServerLayout"
    Identifier "layout"
    Screen "screen"
    InputDevice "touch"
    InputDevice "mouse" "CorePointer"
    InputDevice "keyboard" "CoreKeyboard"
EndSection
"""

# xf86-input-inputtest-protocol.h, version 1.1.
VERSION = (1, 1)
CLIENT_VERSION, WAIT_FOR_SYNC, MOTION, BUTTON, KEY, TOUCH = 0, 1, 2, 4, 5, 6
ANSWER = 64
# XI2.h
TOUCH_BEGIN, TOUCH_UPDATE, TOUCH_END = 18, 19, 20
# What the driver's axes reach to.
RANGE = 65535


class Xorg:
    """An X server of our own, on the first display that is free."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-screen-"))
        configuration = self.folder / "xorg.conf"
        configuration.write_text(CONFIGURATION.replace("FOLDER", str(self.folder)))
        reading, writing = os.pipe()
        command = ["Xorg", "-displayfd", writing, "-config", configuration, "-logfile", self.folder / "log",
                   "-nolisten", "tcp", "-noreset", "-novtswitch", "-sharevts"]
        with (self.folder / "errors").open("w") as errors:
            self.process = subprocess.Popen(list(map(str, command)), pass_fds=[writing], stdout=errors, stderr=errors)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        if not number:
            raise OSError(f"Xorg did not start:\n{(self.folder / 'errors').read_text()}")
        self.display = f":{number}"
        self.touch = Device(self.folder / "touch")
        self.mouse = Device(self.folder / "mouse")
        self.keyboard = Device(self.folder / "keyboard")

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


class Device:
    """The wire to one device of the screen. The driver takes one client, once; positions are px of the screen."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        deadline = time.monotonic() + 10
        while self.socket.connect_ex(str(path)) != 0:
            if time.monotonic() > deadline:
                raise OSError(f"{path} was not opened in 10 s: is Xorg's driver inputtest installed?")
            time.sleep(0.02)
        self._send(CLIENT_VERSION, struct.pack("=HH", *VERSION))
        self.socket.recv(ANSWER)

    def touch(self, number, kind, x, y):
        self._send(TOUCH, struct.pack("=II", number, kind) + valuators(x, y))
        self._wait()

    def move(self, x, y):
        # The structure ends at a multiple of eight.
        self._send(MOTION, struct.pack("=I4x", 1) + valuators(x, y))
        self._wait()

    def button(self, number, is_down):
        self._send(BUTTON, struct.pack("=iiI4x", 1, number, is_down) + valuators())
        self._wait()

    def key(self, number, is_down):
        self._send(KEY, struct.pack("=iI", number, is_down))
        self._wait()

    def _wait(self):
        """Until X has done it."""
        self._send(WAIT_FOR_SYNC)
        self.socket.recv(ANSWER)

    def _send(self, kind, body=b""):
        self.socket.sendall(struct.pack("=II", 8 + len(body), kind) + body)


def valuators(x=None, y=None):
    """The axes as the driver has them: 64 positions, of which two are told, and the same without acceleration."""
    if x is None:
        return struct.pack("=I8s4x128d", 0, bytes(8), *[0.0] * 128)
    # To the middle of the px: X rounds down.
    axes = [(x + 0.5) * RANGE / WIDTH, (y + 0.5) * RANGE / HEIGHT] + [0.0] * 62
    return struct.pack("=I8s4x128d", 0, bytes([0b11]) + bytes(7), *axes, *axes)
