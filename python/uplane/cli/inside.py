"""Views of the inside of one run: logs of connections (qlog), captures and a trace.

In: paths of the command line. Out: the tables that the views need, and the files.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from uplane import files, left_out, qlog
from uplane.errors import InputError, LeftOutWarning, ScenarioError
from uplane.results import Results
from uplane.scenario import Scenario

__all__ = ["Inside"]


@dataclass(frozen=True)
class Inside:
    """Paths of the views of a run; `None` for each that is not asked for.

    Attributes:
        qlog: Folder for logs of connections.
        pcap: Folder for captures.
        perfetto: File for a trace.
    """

    qlog: Path | None = None
    pcap: Path | None = None
    perfetto: Path | None = None

    def __bool__(self) -> bool:
        """Returns whether a view is asked for."""
        return any((self.qlog, self.pcap, self.perfetto))

    def claim(self, *, is_one: bool) -> None:
        """Checks before the run that there is a single run, and that its views can be written.

        Raises:
            InputError: There are several runs.
            OutputError: There is no way to write there.
        """
        if self and not is_one:
            message = "found several runs, expected one with --qlog, --pcap or --perfetto"
            raise InputError(message)
        for folder in (self.qlog, self.pcap):
            if folder is not None:
                files.make_sure(folder, lambda: "something already")
        if self.perfetto is not None:
            files.claim_file(self.perfetto)

    def recorded(self, scenario: Scenario) -> Scenario:
        """Returns the scenario with all tables recorded that the views need.

        Raises:
            InputError: Logs of connections are asked for, and there is no connection.
        """
        if not self:
            return scenario
        wanted: dict[str, object] = {"record.headers": True}
        if self.qlog:
            wanted |= {f"record.{key}": True for key in qlog.needed(scenario.effective)}
        if self.perfetto:
            wanted["record.packets"] = True
        if scenario.effective["record"]["series"] is None and scenario.connected:
            wanted["record.series"] = "10 ms"
        scenario = scenario.with_settings(wanted)
        return _with_radio(scenario) if self.pcap else scenario

    def write(self, results: Results, scenario: Scenario) -> Iterator[str]:
        """Writes the views and yields their paths; names on standard error what they leave out."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LeftOutWarning)
            if self.qlog:
                results.write_qlog(self.qlog)
                yield f"logs of connections in {self.qlog}\n"
            if self.pcap:
                results.write_pcap(self.pcap)
                yield f"captures in {self.pcap}\n"
            if self.perfetto:
                results.write_perfetto(self.perfetto)
                yield f"trace for ui.perfetto.dev in {self.perfetto}\n"
        sys.stderr.writelines(f"left out: {text}\n" for text in self._left_out(results, scenario))

    def _left_out(self, results: Results, scenario: Scenario) -> Iterator[str]:
        if self.qlog:
            yield from left_out.of_logs(results)
        if self.pcap:
            yield from left_out.of_captures(results, _why_no_radio(scenario))
        if self.perfetto:
            yield from left_out.of_trace(results)


def _with_radio(scenario: Scenario) -> Scenario:
    """Returns the scenario with `record.radio`, if its radio has transport blocks."""
    if not {"lte", "nr"} & set(scenario.effective["radio"]):
        return scenario
    with suppress(ScenarioError):
        return scenario.with_settings({"record.radio": True})
    return scenario


def _why_no_radio(scenario: Scenario) -> str:
    """Returns why `record.radio` is refused; an empty text if it is accepted."""
    kinds = [kind for kind, section in scenario.effective["radio"].items() if section is not None]
    if not {"lte", "nr"} & set(kinds):
        return f"radio.{kinds[0]} has no transport blocks"
    try:
        scenario.with_settings({"record.radio": True})
    except ScenarioError as error:
        return error.expected
    return ""
