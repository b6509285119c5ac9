interface Page {
  data: readonly unknown[];
  /** Of all lists with pages, except that of events. */
  nextCursor?: string | null;
  /** Of the list of events. */
  nextAfter?: number;
}

type List = (options: never) => Promise<{ data?: Page | undefined }>;
type Row<Of extends List> = NonNullable<Awaited<ReturnType<Of>>['data']>['data'][number];

/**
 * All rows of a list, page by page, each page requested when the loop gets there:
 * `for await (const template of paginate(listTemplates, { client, query: { workspaceId } }))`.
 * Events end with the last one there is now; to go on later, start after its `position`.
 */
export async function* paginate<Of extends List>(
  list: Of,
  options: Parameters<Of>[0],
): AsyncGenerator<Row<Of>, void, undefined> {
  const { query, ...others } = options as { query?: object };
  // The type of a page follows from `throwOnError`, which a generic function cannot show here.
  const read = list as unknown as (options: object) => Promise<{ data: Page }>;
  let next: object | undefined = {};
  while (next !== undefined) {
    const { data: page } = await read({
      ...others,
      query: { ...query, ...next },
      throwOnError: true,
    });
    yield* page.data as Row<Of>[];
    next = nextOf(page);
  }
}

function nextOf({ data, nextCursor, nextAfter }: Page): object | undefined {
  if (nextAfter !== undefined && data.length > 0) return { after: nextAfter };
  return nextCursor ? { cursor: nextCursor } : undefined;
}
