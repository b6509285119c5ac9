// The command omits these headers, because curl sets them itself. For example, a copied Content-Length would break the
// request after the user edits the body.
const SET_BY_CURL = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
]);
const HIDDEN_VALUE = '********';

interface CurlRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Formats a request as a curl command that the user can paste into a POSIX shell. */
export function toCurlCommand({ url, headers, body }: CurlRequest): string {
  const headerOptions = Object.entries(headers)
    .filter(([name]) => !SET_BY_CURL.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [`curl -i -X POST ${quote(url)}`, ...headerOptions, `--data-raw ${quote(body)}`].join(
    ' \\\n  ',
  );
}

/** The names of the headers whose values the API masks. */
export const hiddenHeaders = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([, value]) => value === HIDDEN_VALUE)
    .map(([name]) => name);

/** Inside single quotes, a shell treats every character literally, except the single quote itself. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
