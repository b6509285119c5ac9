/**
 * The client for Galley's API: one generated function for each operation (`generated`), the generated types of
 * documents (`document`), and the parts that cannot be generated: errors, retries and timeouts (`client.ts`),
 * pagination, and webhook verification.
 */
export * from './generated/index.js';
export type {
  Block,
  ButtonBlock,
  Column,
  Container,
  DividerBlock,
  EmailDocument,
  HeadingBlock,
  HtmlBlock,
  ImageBlock,
  ListBlock,
  MenuBlock,
  MenuLink,
  ModuleReference,
  SocialBlock,
  SocialElement,
  SpacerBlock,
  Stripe,
  TableBlock,
  TextBlock,
  VideoBlock,
} from './document/index.js';
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
