"""One message to all: what it costs a server for each watcher, beside the floor, in turn with the others."""

from servers import Floor


class Cell:
    """A contender with its one of the two frames, and what its repetitions came to."""

    def __init__(self, contender, frames):
        self.contender, self.kind = contender, "deflate" if contender.is_compressed else "plain"
        frame = frames[self.kind]
        # The floor is given the bytes of the wire; the others the payload, to make a frame of it themselves.
        self.body = frame.wire if isinstance(contender.server, Floor) else self._body(frame)
        self.runs, self.fault = [], None

    def _body(self, frame):
        server = self.contender.server
        return server.body(frame.text if server.key == "refreshable" else frame.payload)

    def repeat(self, milliseconds, counts=True):
        """One repetition. One that a peer can't stand is its last, and told."""
        if self.fault:
            return
        try:
            self.contender.push_by(self.body)
            with self.contender.timed() as spent:
                run = self.contender.crowd.run(milliseconds)
        except (RuntimeError, ProcessLookupError, OSError) as error:
            self.fault = str(error).splitlines()[0]
            return
        if counts:
            self.runs.append(run | {"cpu": spent.cpu / run["messages"], "kernel": spent.kernel, "total": spent.cpu})


def compare(cells, repetitions, milliseconds):
    """All cells in turn, again and again, each time from another one on: what the machine does meanwhile, it does to all.

    Each repetition lasts so many milliseconds, and at least one message to all."""
    for cell in cells:
        cell.repeat(milliseconds // 3, counts=False)
    for number in range(repetitions):
        start = number * 3 % len(cells)
        for cell in cells[start:] + cells[:start]:
            cell.repeat(milliseconds)
