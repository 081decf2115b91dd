"""The figures, their limits and their marks."""

from dataclasses import asdict, dataclass, field


@dataclass
class Row:
    figure: str
    unit: str
    ours: float
    # What the same machine does without us, in the same run; absent where the mark is absolute.
    limit: float | None
    # A ratio to the limit that has to be reached, or an absolute value that must not be exceeded.
    mark: float
    note: str = ""
    # A time, and no rate: the less the better.
    is_time: bool = False
    details: dict = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        if self.limit is None:
            return None
        return self.limit / self.ours if self.is_time else self.ours / self.limit

    @property
    def reached(self) -> bool:
        return self.ours <= self.mark if self.ratio is None else self.ratio >= self.mark


class Table:
    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(self, *arguments, **keywords) -> Row:
        row = Row(*arguments, **keywords)
        self.rows.append(row)
        return row

    def find(self, figure: str) -> Row | None:
        return next((row for row in self.rows if row.figure == figure), None)

    @property
    def all_reached(self) -> bool:
        return all(row.reached for row in self.rows)

    def as_json(self) -> list[dict]:
        return [asdict(row) | {"ratio": row.ratio, "reached": row.reached} for row in self.rows]

    def as_text(self) -> str:
        lines = [("figure", "ours", "limit", "ratio", "to reach", "")]
        for row in self.rows:
            absolute = row.ratio is None
            lines.append((
                row.figure,
                f"{quantity(row.ours)} {row.unit}",
                "" if absolute else f"{quantity(row.limit)} {row.unit}",
                "" if absolute else f"{row.ratio:.2f}",
                f"≤ {quantity(row.mark)} {row.unit}" if absolute else f"{row.mark:.2f}",
                "ok" if row.reached else "BELOW",
            ))
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        out = []
        for line in lines:
            cells = [line[0].ljust(widths[0])]
            cells += [line[column].rjust(widths[column]) for column in range(1, 5)]
            out.append("  ".join(cells + [line[5]]).rstrip())
        notes = [f"{row.figure}: {row.note}" for row in self.rows if row.note]
        return "\n".join(out + ([""] + notes if notes else []))


def quantity(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
