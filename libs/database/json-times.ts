type TimeField<Row> = {
  [Field in keyof Row]: Row[Field] extends Date | null ? Field : never;
}[keyof Row];

/** Converts the given fields of a row from strings to dates. PostgreSQL returns times as strings if a row is JSON. */
export function parseJsonTimes<Row extends object>(
  row: Row,
  ...fields: readonly TimeField<Row>[]
): Row {
  const times = fields
    .filter((field) => row[field] !== null)
    .map((field) => [field, new Date(row[field] as Date)] as const);
  return { ...row, ...Object.fromEntries(times) };
}
