/** A column of a table. `width` limits the length of values that tenants choose, such as names. */
export interface Column<Row> {
  title: string;
  value: (row: Row) => string | number;
  width?: number;
}

// Tenants choose names, and a terminal would interpret control characters in a name.
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats a table for a terminal: numbers are right-aligned, and two spaces separate the columns. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) =>
      columns.map(({ value, width = Infinity }) => {
        const text = String(value(row)).replace(CONTROL_CHARACTERS, '?');
        return text.length > width ? `${text.slice(0, width - 1)}…` : text;
      }),
    ),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((row) => row[index]?.length ?? 0)),
  );
  const isNumeric = columns.map(({ value }) => rows.some((row) => typeof value(row) === 'number'));
  return cells
    .map((row) =>
      row
        .map((cell, index) =>
          isNumeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** How long ago `at` was, in the largest unit that fits: "3d", "12m", "5s". */
export function age(at: Date | null, now = Date.now()): string {
  if (at === null) return '-';
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1_000));
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / length)}${unit}`;
}
