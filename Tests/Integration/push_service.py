"""A push service of the test's own (RFC 8030), and browsers that have subscribed there: it checks who sends (RFC 8292), and
reads what is sent (RFC 8291) as only the browser could. Its cryptography is another library's than the server's.
"""

import asyncio
import base64
import hashlib
import json
import os
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from harness import read_head


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derive(count, secret, salt, info):
    return HKDF(hashes.SHA256(), count, salt, info).derive(secret)


class Browser:
    """One subscription: an endpoint, and the keys by which its messages are read."""

    def __init__(self, service, name=None):
        self.endpoint = f"{service.origin}/push/{name or text(os.urandom(12))}"
        self.id = hashlib.sha256(self.endpoint.encode()).hexdigest()
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        service.browsers[self.endpoint.removeprefix(service.origin)] = self
        self.messages = []

    @property
    def subscription(self):
        """What PushSubscription.toJSON() gives, and the page's language."""
        keys = {"p256dh": text(point(self.key.public_key())), "auth": text(self.secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys, "language": "en"}

    def read(self, body):
        """A message as the browser decrypts it: RFC 8188, RFC 8291."""
        assert len(body) <= 4096, f"{len(body)} bytes are more than each push service takes"
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        ours, theirs = point(self.key.public_key()), body[21 : 21 + length]
        sealed = body[21 + length :]
        assert length == 65 and len(sealed) <= size, f"a key of {length}, {len(sealed)} bytes in a record of {size}"
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        agreed = derive(32, shared, self.secret, b"WebPush: info\0" + ours + theirs)
        key = derive(16, agreed, salt, b"Content-Encoding: aes128gcm\0")
        nonce = derive(12, agreed, salt, b"Content-Encoding: nonce\0")
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain[-1:] == b"\2", f"the last record ends with {plain[-1:]}"
        return json.loads(plain[:-1])


class PushService:
    """Answers 201, or what it is told to: `answers` are taken first, each a status with headers, `hang` or `reset`."""

    def __init__(self):
        self.browsers, self.answers, self.requests, self.key = {}, [], [], None
        self.faults = []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.origin = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, kind, *_):
        self.server.close()
        if kind is None:
            assert not self.faults, self.faults

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                await self.answer(line.decode().split(), reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def answer(self, line, reader, writer):
        # The first line was read; the rest of a head has the same form as that of an answer.
        head = asyncio.StreamReader()
        head.feed_data(b"HTTP/1.1 200\r\n" + await reader.readuntil(b"\r\n\r\n"))
        _, headers = await read_head(head)
        body = await reader.readexactly(int(headers["content-length"]))
        answer = self.answers.pop(0) if self.answers else (201, {})
        self.requests.append((time.monotonic(), line[1], headers, answer))
        if answer == "reset":
            return writer.transport.abort()
        if answer == "hang":
            return await asyncio.sleep(3600)
        try:
            self.take(line, headers, body, answer[0])
        except Exception as fault:  # the test is told at its end
            self.faults.append(repr(fault))
        extra = "".join(f"{name}: {value}\r\n" for name, value in answer[1].items())
        writer.write(f"HTTP/1.1 {answer[0]} Status\r\nContent-Length: 0\r\n{extra}\r\n".encode())
        await writer.drain()

    def take(self, line, headers, body, status):
        method, path, _ = line
        assert method == "POST" and headers["content-encoding"] == "aes128gcm", (line, headers)
        assert int(headers["ttl"]) > 0 and headers["urgency"] == "normal", headers
        assert 0 < len(headers["topic"]) <= 32 and len(data(headers["topic"])) == 24, headers["topic"]
        self.check(headers["authorization"])
        browser = self.browsers[path]
        message = browser.read(body)
        if status in (200, 201, 202):
            browser.messages.append(message)

    def check(self, authorization):
        """RFC 8292: signed by the key that the page was given, for this service, for a day at most."""
        scheme, _, rest = authorization.partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid" and (self.key is None or parts["k"] == self.key), f"{parts['k']} is not {self.key}"
        header, claims, signature = parts["t"].split(".")
        assert json.loads(data(header)) == {"typ": "JWT", "alg": "ES256"}
        r, s = (int.from_bytes(half) for half in (data(signature)[:32], data(signature)[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(parts["k"]))
        public.verify(encode_dss_signature(r, s), f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(data(claims))
        assert claims["aud"] == self.origin, claims
        assert 0 < claims["exp"] - time.time() <= 24 * 3600, claims
        assert claims["sub"].startswith("https://localhost"), claims
