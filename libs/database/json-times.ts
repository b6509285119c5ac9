type TimeField<Row> = {
  [Field in keyof Row]: Row[Field] extends Date | null ? Field : never;
}[keyof Row];

/** Parses the times in a row that PostgreSQL has returned as JSON, where a time is a string. */
export function parseJsonTimes<Row extends object>(
  row: Row,
  ...fields: readonly TimeField<Row>[]
): Row {
  const times = fields
    .filter((field) => row[field] !== null)
    .map((field) => [field, new Date(row[field] as Date)] as const);
  return { ...row, ...Object.fromEntries(times) };
}
