"""A video client that chooses the quality of each segment by the throughput of the last one.

`own-application.toml` uses it. The ladder and the sizes are made up; to begin one's own from.
"""

from uplane.application import Application, Message

LADDER_KBPS = (500, 1000, 2000, 4000, 8000)
SEGMENT_S = 2.0
SEGMENTS = 30
FULL_S = 10.0
"""Seconds of film in the buffer at which the client pauses its requests."""


class Video(Application):
    """Requests of 300 bytes go up, segments come down; a film of a minute."""

    def __init__(self) -> None:
        """Begins with the lowest quality and an empty buffer."""
        self.chosen = [LADDER_KBPS[0]]
        self.came = 0
        self.asked_s = self.played_s = self.buffer_s = self.stalled_s = 0.0
        self.stalls = 0

    def on_start(self) -> None:
        """Asks for the first segment."""
        self.on_time()

    def on_time(self) -> None:
        """Requests the next segment."""
        self.asked_s = self.now_s
        self.send("up", 300)

    def on_message(self, message: Message) -> None:
        """The server answers a request; the client takes a segment, and asks for the next."""
        if message.direction == "up":
            self.send("down", int(self.chosen[-1] * 1000 * SEGMENT_S / 8))
            return
        self.play()
        self.came += 1
        self.buffer_s += SEGMENT_S
        kbps = 8e-3 * message.size / (self.now_s - self.asked_s)
        if self.came < SEGMENTS:
            self.chosen.append(max((it for it in LADDER_KBPS if it < 0.8 * kbps), default=500))
            self.wake_at(self.now_s + max(0.0, self.buffer_s - FULL_S))

    def play(self) -> None:
        """Plays the buffer since the last segment; before the first segment nothing plays."""
        missing_s = self.now_s - self.played_s - self.buffer_s if self.came else 0.0
        if missing_s > 0:
            self.stalls += 1
            self.stalled_s += missing_s
        self.buffer_s = max(0.0, -missing_s)
        self.played_s = self.now_s

    def report(self) -> dict[str, float]:
        """Reports the quality and the stalls."""
        mean = sum(self.chosen) / len(self.chosen)
        return {"stalls": self.stalls, "stalled_s": self.stalled_s, "quality_kbps": mean}
