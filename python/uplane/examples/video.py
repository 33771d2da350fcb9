"""A video client that chooses the quality of each segment by the throughput of the last one.

`own-application.toml` uses it. The ladder and the sizes are invented. Use it as a template.
"""

from uplane.application import Application, Message

LADDER_KBPS = (500, 1000, 2000, 4000, 8000)
SEGMENT_S = 2.0
SEGMENTS = 30
FULL_S = 10.0
"""Playback time in the buffer above which the client delays its next request, in s."""


class Video(Application):
    """Requests of 300 bytes in the uplink, video segments in the downlink, for one minute."""

    def __init__(self) -> None:
        """Starts with the lowest quality and an empty buffer."""
        self.chosen = [LADDER_KBPS[0]]
        self.came = 0
        self.asked_s = self.played_s = self.buffer_s = self.stalled_s = 0.0
        self.stalls = 0

    def on_start(self) -> None:
        """Requests the first segment."""
        self.on_time()

    def on_time(self) -> None:
        """Requests the next segment."""
        self.asked_s = self.now_s
        self.send("up", 300)

    def on_message(self, message: Message) -> None:
        """Answers a request at the server; stores a segment at the client and requests the next."""
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
        """Accounts for playback and stalls since the last segment; none before the first one."""
        missing_s = self.now_s - self.played_s - self.buffer_s if self.came else 0.0
        if missing_s > 0:
            self.stalls += 1
            self.stalled_s += missing_s
        self.buffer_s = max(0.0, -missing_s)
        self.played_s = self.now_s

    def report(self) -> dict[str, float]:
        """Returns the number and duration of stalls, and the mean quality."""
        mean = sum(self.chosen) / len(self.chosen)
        return {"stalls": self.stalls, "stalled_s": self.stalled_s, "quality_kbps": mean}
