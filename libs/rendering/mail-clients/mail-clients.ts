/**
 * The mail clients that Galley approximates. `gmail-app` is the app of Gmail with an account of another provider, which
 * ignores style sheets.
 */
export const mailClients = [
  'gmail',
  'gmail-app',
  'outlook-windows',
  'apple-mail-dark',
  'without-images',
] as const;
export type MailClient = (typeof mailClients)[number];
