interface Page {
  data: readonly unknown[];
  /** The cursor of the next page, in all lists except the list of events; null on the last page. */
  nextCursor?: string | null;
  /** The position after which the next page begins. Only the list of events has this field. */
  nextAfter?: number;
}

type ListOperation = (options: never) => Promise<{ data?: Page | undefined }>;
type PageOf<Operation extends ListOperation> = NonNullable<Awaited<ReturnType<Operation>>['data']>;

/**
 * Yields all rows of a list. Each page is requested only when the loop reaches it:
 * `for await (const template of paginate(listTemplates, { client, query: { workspaceId } }))`
 *
 * The list of events ends with the latest event. To continue later, start after the `position` of that event.
 */
export async function* paginate<Operation extends ListOperation>(
  list: Operation,
  options: Parameters<Operation>[0],
): AsyncGenerator<PageOf<Operation>['data'][number], void, undefined> {
  for await (const { data } of pages(list, options)) yield* data;
}

/**
 * Yields the pages of a list instead of their rows, so that a loop can store the `syncCursor` or `nextAfter` of each
 * page.
 */
export async function* pages<Operation extends ListOperation>(
  list: Operation,
  options: Parameters<Operation>[0],
): AsyncGenerator<PageOf<Operation>, void, undefined> {
  const { query, ...otherOptions } = options as { query?: object };
  // In a generic function, TypeScript cannot infer that `throwOnError` determines the type of the response.
  const fetchPage = list as unknown as (options: object) => Promise<{ data: PageOf<Operation> }>;
  let nextQuery: object | undefined = {};
  while (nextQuery !== undefined) {
    const { data } = await fetchPage({
      ...otherOptions,
      query: { ...query, ...nextQuery },
      throwOnError: true,
    });
    yield data;
    nextQuery = nextQueryOf(data);
  }
}

function nextQueryOf({ data, nextCursor, nextAfter }: Page): object | undefined {
  if (nextAfter !== undefined && data.length > 0) return { after: nextAfter };
  return nextCursor ? { cursor: nextCursor } : undefined;
}
