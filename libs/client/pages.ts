interface Page {
  data: readonly unknown[];
  /** Of all lists with pages, except that of events. */
  nextCursor?: string | null;
  /** Of the list of events. */
  nextAfter?: number;
}

type List = (options: never) => Promise<{ data?: Page | undefined }>;
type PageOf<Of extends List> = NonNullable<Awaited<ReturnType<Of>>['data']>;

/**
 * All rows of a list, page by page, each page requested when the loop gets there:
 * `for await (const template of paginate(listTemplates, { client, query: { workspaceId } }))`.
 * Events end with the last one there is now; to go on later, start after its `position`.
 */
export async function* paginate<Of extends List>(
  list: Of,
  options: Parameters<Of>[0],
): AsyncGenerator<PageOf<Of>['data'][number], void, undefined> {
  for await (const { data } of pages(list, options)) yield* data;
}

/** The pages instead of their rows, for a loop that stores the `syncCursor` or `nextAfter` of each. */
export async function* pages<Of extends List>(
  list: Of,
  options: Parameters<Of>[0],
): AsyncGenerator<PageOf<Of>, void, undefined> {
  const { query, ...others } = options as { query?: object };
  // A generic function cannot show here that `throwOnError` decides on the type of the response.
  const read = list as unknown as (options: object) => Promise<{ data: PageOf<Of> }>;
  let next: object | undefined = {};
  while (next !== undefined) {
    const { data } = await read({ ...others, query: { ...query, ...next }, throwOnError: true });
    yield data;
    next = nextOf(data);
  }
}

function nextOf({ data, nextCursor, nextAfter }: Page): object | undefined {
  if (nextAfter !== undefined && data.length > 0) return { after: nextAfter };
  return nextCursor ? { cursor: nextCursor } : undefined;
}
