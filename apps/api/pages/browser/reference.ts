/*
 * Runs in the browser, on the page `/docs`: shows the API reference, and gets an access token from a signed-in
 * tab of the settings area.
 *
 * The tabs communicate over the BroadcastChannel `galley`, which only pages of this origin can join:
 *
 *   { type: 'token-request' }                     from /docs, when it opens and when its token expires
 *   { type: 'token', accessToken, expiresAt }     from the settings area, in reply to a request and whenever
 *                                                 it has a new token; `expiresAt` is in milliseconds since 1970
 *
 * The token stays in the memory of the page: it is never in a URL or in browser storage. A token that the reader
 * pastes takes precedence over the token from the settings area.
 */
import type { ApiReferenceConfiguration } from '@scalar/fastify-api-reference';

type Configuration = Partial<ApiReferenceConfiguration>;

interface ApiReference {
  updateConfiguration(configuration: Configuration): void;
}

/** The bundle of Scalar, which the page loads before this file. */
declare const Scalar: {
  createApiReference(selector: string, configuration: Configuration): ApiReference;
};

const { origin } = location;

/** With these options, the page neither sends requests to other servers nor links to Scalar's services. */
const SELF_HOSTED: Configuration = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  externalUrls: {
    dashboardUrl: origin,
    registryUrl: origin,
    proxyUrl: origin,
    apiBaseUrl: origin,
  },
};

const configurationWith = (token: string | undefined): Configuration => ({
  ...SELF_HOSTED,
  url: '/openapi.json',
  theme: 'none',
  hideDarkModeToggle: true,
  documentDownloadType: 'none',
  persistAuth: false,
  authentication: {
    preferredSecurityScheme: 'bearer',
    securitySchemes: { bearer: { token: token ?? '' } },
  },
});

const reference = Scalar.createApiReference('#reference', configurationWith(undefined));
const session = document.querySelector<HTMLElement>('#session');

function useToken(token: string | undefined): void {
  reference.updateConfiguration(configurationWith(token));
  if (session) session.textContent = token === undefined ? '' : 'Signed in';
}

interface TokenMessage {
  type: 'token';
  accessToken: string;
  expiresAt: number;
}

const isTokenMessage = (message: unknown): message is TokenMessage => {
  const { type, accessToken, expiresAt } = (message ?? {}) as Partial<TokenMessage>;
  return type === 'token' && typeof accessToken === 'string' && typeof expiresAt === 'number';
};

const channel = new BroadcastChannel('galley');
const requestToken = (): void => channel.postMessage({ type: 'token-request' });
let expiry: ReturnType<typeof setTimeout> | undefined;

channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isTokenMessage(data)) return;
  const lifetime = data.expiresAt - Date.now();
  if (lifetime <= 0) return;
  clearTimeout(expiry);
  useToken(data.accessToken);
  expiry = setTimeout(() => {
    useToken(undefined);
    requestToken();
  }, lifetime);
});
requestToken();
