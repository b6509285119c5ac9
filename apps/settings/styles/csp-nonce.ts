/** The nonce of this page load, with which the Content-Security-Policy allows Mantine's style elements. */
export const cspNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
