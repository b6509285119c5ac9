/**
 * The client for Galley's API: one generated function for each operation and the generated types
 * (`generated`), and the parts that cannot be generated: errors, retries and timeouts (`client.ts`), pagination, and
 * webhook verification.
 */
export * from './generated/index.js';
export type { Client } from './generated/client/index.js';
export { createClient, type ClientConfig } from './client.js';
export { GalleyError, type GalleyErrorCode } from './error.js';
export { pages, paginate } from './pages.js';
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifiedWebhook,
  type WebhookHeaders,
} from './webhooks.js';
