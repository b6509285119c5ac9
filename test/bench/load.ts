import autocannon from 'autocannon';

export interface Load {
  url: string;
  method: 'GET' | 'POST';
  body?: string;
  token?: string;
}

const CONNECTIONS = 32;

/**
 * Requests per second that are answered 2xx, over `seconds` of 32 busy connections.
 * @throws when anything else is answered: a rate of errors is no rate.
 */
export async function requestsPerSecond(load: Load, seconds: number): Promise<number> {
  const result = await run(load, { duration: seconds });
  return result['2xx'] / result.duration;
}

/** Sends that many requests, as fast as they are answered. */
export async function sendRequests(load: Load, amount: number): Promise<void> {
  await run(load, { amount });
}

async function run(
  { url, method, body, token }: Load,
  extent: { duration: number } | { amount: number },
): Promise<autocannon.Result> {
  const result = await autocannon({
    url,
    method,
    connections: CONNECTIONS,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
    ...extent,
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(
      `${method} ${url}: ${result['2xx']} answers of 2xx, ${result.non2xx} others, ${result.errors} errors.`,
    );
  }
  return result;
}
