/**
 * Redirects to these origins may use any port. RFC 8252 (section 7.3) requires this for the two IP
 * addresses; Galley does the same for `localhost`.
 */
export const LOOPBACK_ORIGINS = ['http://127.0.0.1', 'http://localhost', 'http://[::1]'];

const LOOPBACK_HOSTNAMES = LOOPBACK_ORIGINS.map((origin) => new URL(origin).hostname);

export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && LOOPBACK_HOSTNAMES.includes(url.hostname);
}
