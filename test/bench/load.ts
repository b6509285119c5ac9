import autocannon from 'autocannon';

export interface Load {
  url: string;
  method: 'GET' | 'POST';
  body?: string;
  token?: string;
  /** Whether `[<id>]` in the body stands for an id that differs in each request. */
  hasIds?: boolean;
  /** Requests of several callers, which each connection sends in rotation instead. */
  rotation?: readonly Pick<Load, 'body' | 'token'>[];
}

const CONNECTIONS = 32;
// autocannon looks only after each sample whether all responses have arrived. The default is a second.
const SAMPLE_MS = 20;

/**
 * Requests per second with a 2xx response, over `seconds` on busy connections, by default 32.
 *
 * @throws if any other response arrives: a rate of errors is not a result.
 */
export async function requestsPerSecond(
  load: Load,
  seconds: number,
  options: { connections?: number } = {},
): Promise<number> {
  const result = await run(load, { duration: seconds, ...options });
  return result['2xx'] / result.duration;
}

/** Sends `amount` requests, as fast as the responses arrive or at `overallRate` a second. */
export async function sendRequests(
  load: Load,
  amount: number,
  options: { overallRate?: number; connections?: number } = {},
): Promise<void> {
  await run(load, { amount, sampleInt: SAMPLE_MS, ...options });
}

async function run(
  { url, method, rotation, hasIds = false, ...request }: Load,
  extent: Pick<
    autocannon.Options,
    'amount' | 'connections' | 'duration' | 'overallRate' | 'sampleInt'
  >,
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    method,
    connections: CONNECTIONS,
    idReplacement: hasIds,
    requests: (rotation ?? [request]).map(({ body, token }) => ({
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    })),
    ...extent,
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${method} ${url}: ${result['2xx']} responses with 2xx, ${result.non2xx} others, ${result.errors} errors.`,
    );
  }
  return result;
}
