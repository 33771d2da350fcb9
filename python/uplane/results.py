"""Results of one run: tables, warnings, and the manifest that states their origin.

In: the simulator's tables, or a run folder. Out: frames of polars or pandas, and a run folder.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import folder as run_folder
from uplane import left_out, pcap, perfetto, qlog, radio_pcap
from uplane.analysis.limits import limits_of
from uplane.analysis.page import table_of
from uplane.errors import InputError
from uplane.merged_warnings import sentences, warnings_of
from uplane.table import Table, alike

if TYPE_CHECKING:
    import polars

__all__ = ["Results", "Table"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Results:
    """The results of one run: `results["transfers"]` or `results.transfers`.

    Attributes:
        tables: All tables by name.
        manifest: How the run was made: scenario with every value in effect, seed, version, times.
    """

    tables: Mapping[str, Table]
    manifest: Mapping[str, Any]

    def __repr__(self) -> str:
        """Returns the scenario, the tables with their numbers of rows, and the empty tables."""
        rows = ", ".join(f"{table.name} ({len(table)})" for table in self if len(table))
        empty = ", ".join(table.name for table in self if not len(table))
        return f"Results of {self._head()}\ntables: {rows}\nwithout rows: {empty or 'none'}"

    def _head(self) -> str:
        return f"{self.manifest['source']}, seed {self.seed}, {self.events} events"

    @property
    def seed(self) -> int:
        """Seed of this run."""
        return int(self.manifest["seed"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about this run as sentences; the table `warnings` has the rows."""
        return list(sentences((0, row) for row in warnings_of(self["warnings"])))

    @property
    def limits(self) -> list[str]:
        """Limits that held data back in a cell, with their keys, and the time UEs were awake."""
        return list(sentences((0, row) for row in limits_of(self)))

    @property
    def events(self) -> int:
        """Number of simulated events."""
        return int(self.manifest["events"])

    def __getitem__(self, name: str) -> Table:
        """Returns the table called `name`."""
        try:
            return self.tables[name]
        except KeyError:
            there = f"there are {', '.join(self.tables)}"
            raise KeyError(f"no table {name!r}; {there}{alike(name, self.tables)}") from None

    def __getattr__(self, name: str) -> Table:
        """Returns the table called `name`, as an attribute."""
        if name.startswith("_") or name not in self.tables:
            message = f"Results has no attribute or table {name!r}{alike(name, self.tables)}"
            raise AttributeError(message)
        return self.tables[name]

    def __dir__(self) -> list[str]:
        """Returns the attributes, the tables among them."""
        return sorted({*super().__dir__(), *self.tables})

    def _ipython_key_completions_(self) -> list[str]:
        """Returns the names of tables, which a notebook offers after `results["`."""
        return list(self.tables)

    def _repr_html_(self) -> str:
        """Returns the scenario, the warnings and the tables, for a notebook."""
        rows = [(table.name, len(table), table.doc) for table in self]
        warnings = "".join(f"<li>{escape(text)}</li>" for text in self.warnings)
        warned = f"<p>Warnings:</p><ul>{warnings}</ul>" if warnings else ""
        shown = table_of(("table", "rows", "a row is"), rows)
        return f"<p><b>{escape(self._head())}</b></p>{warned}{shown}"

    def __iter__(self) -> Iterator[Table]:
        """Iterates over all tables."""
        return iter(self.tables.values())

    def save(self, folder: str | Path) -> Path:
        """Writes the run folder: `manifest.json` and one Parquet file a table.

        Raises:
            InputError: The folder ends as the name of one file: `results["transfers"].to_polars()`
                writes one table.
            OutputError: The folder cannot be written, or it holds a run of another scenario.
                Nothing is left behind.
        """
        return run_folder.write(Path(folder), self, self.manifest)

    def write_qlog(self, folder: str | Path) -> list[Path]:
        """Writes the log of each end of a connection, for qvis; returns the files.

        QUIC needs `record.qlog = true` in the scenario. TCP needs `record.headers = true`, and
        `record.series` for its congestion control. A connection that was not recorded has no
        file. A `LeftOutWarning` names each application without a log, with the reason.

        Raises:
            InputError: The run has no connection, or has recorded none.
            OutputError: The folder cannot be written.
        """
        self._expect_any(qlog.needed(self.manifest["scenario"]), "a qlog")
        left_out.warn(left_out.of_logs(self))
        tables = {name: self[name].to_polars() for name in ("qlog", "headers", "series")}
        return qlog.write(tables, Path(folder))

    def write_pcap(self, folder: str | Path) -> list[Path]:
        """Writes captures of hosts and of the radio, for Wireshark; returns the files.

        `server.pcapng` and a `ue-UE.pcapng` for each UE need `record.headers = true` in the
        scenario. `radio.pcapng` of an LTE or NR cell needs `record.radio = true` too. A
        `LeftOutWarning` names each missing part and each part that Wireshark cannot read, with
        the reason.

        Raises:
            InputError: The run has recorded no headers.
            OutputError: The folder cannot be written.
        """
        self._expect_any(["headers"], "a capture")
        left_out.warn(left_out.of_captures(self))
        folder = Path(folder)
        tables = {name: self[name].to_polars() for name in radio_pcap.TABLES}
        return pcap.write(tables["headers"], folder) + radio_pcap.write(tables, folder)

    def write_perfetto(self, path: str | Path) -> Path:
        """Writes the place of each packet over time, for ui.perfetto.dev; returns the file.

        The scenario needs `record.packets = true`. `record.series` adds windows of senders,
        `record.headers` the packets that did not arrive. A `LeftOutWarning` names missing parts.

        Raises:
            InputError: The run has recorded no packets.
            OutputError: The file cannot be written.
        """
        self._expect_any(["packets"], "a trace")
        left_out.warn(left_out.of_trace(self))
        tables = {name: self[name].to_polars() for name in ("packets", "headers", "series")}
        return perfetto.write(tables, Path(path))

    def _expect_any(self, keys: Sequence[str], what: str) -> None:
        """Raises `InputError` if the scenario records none of the needed tables."""
        recorded = self.manifest["scenario"]["record"]
        if not any(recorded[key] for key in keys):
            wanted = " or ".join(f"`record.{key} = true`" for key in keys)
            message = f"the run recorded nothing for {what}: the scenario has to say {wanted}"
            raise InputError(message)

    def slowest(self, count: int = 10) -> "polars.DataFrame":
        """Returns the delivered packets of the largest latency, the slowest first.

        The scenario has to say `record.packets = true`.

        Args:
            count: Maximum number of packets.

        Returns:
            A frame of `packet`, `app`, `ue`, `direction`, `class`, `started_s`, `delivered_s`,
            `bytes`, `latency_ms`, and `cause`, which took most of the time, with its `time_ms`.

        Raises:
            InputError: The run has recorded no packet.
        """
        import polars

        from uplane.analysis import packets

        found = packets.slowest(packets.delivered(self["packets"]), count)
        rows = [
            (
                *(it.number, it.app, it.ue, it.direction, it.kind, it.started_s, it.delivered_s),
                *(it.size, it.latency_ms, it.largest, it.causes[it.largest]),
            )
            for it in found
        ]
        names = [*packets.COLUMNS[:-2], "latency_ms", "cause", "time_ms"]
        return polars.DataFrame(rows, schema=names, orient="row")

    def follow(self, packet: int) -> "polars.DataFrame":
        """Returns the latency of one delivered packet by cause, in the order of the ledger.

        The scenario has to say `record.packets = true`.

        Args:
            packet: The number of the packet, as in `slowest()` and in the table `packets`.

        Returns:
            A frame of `cause`, `time_ms`, and `mean_ms`: the same of the mean packet of its
            application, direction and class.

        Raises:
            InputError: The run recorded no packets, or no packet of this number was delivered.
        """
        import polars

        from uplane.analysis import packets

        found = packets.delivered(self["packets"])
        own = packets.packet_of(found, packet)
        mean = packets.mean_of(found, own.subject)
        rows = [(cause, time, mean[cause]) for cause, time in own.causes.items()]
        return polars.DataFrame(rows, schema=["cause", "time_ms", "mean_ms"], orient="row")

    @classmethod
    def load(cls, folder: str | Path) -> "Results":
        """Reads and verifies a run folder; its tables stay in their files until they are asked for.

        Raises:
            OutputError: There is no run folder, or something in it has changed.
        """
        folder = Path(folder)
        return cls.at(folder, run_folder.verify_run(folder))

    @classmethod
    def at(cls, folder: Path, manifest: Mapping[str, Any]) -> "Results":
        """Returns the results in a run folder with this manifest."""
        return cls(tables=run_folder.tables(folder, manifest), manifest=manifest)
