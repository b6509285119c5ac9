/**
 * The settings that differ between installations. They are in `config.json` next to index.html, so that all
 * installations can use the same build.
 */
export interface SettingsConfig {
  /** The base URL of the API; empty if the API serves this page. */
  apiUrl: string;
  /** The issuer URL of the OpenID Connect provider. */
  issuer: string;
  clientId: string;
  /** The audience of API tokens. Some providers issue these tokens only if the request names the audience. */
  audience: string;
  /** The kind of token that the page sends to the API. */
  token: 'access_token' | 'id_token';
  /**
   * The URL of the sample receiver, which new webhooks can use. Only development installations have a sample receiver.
   */
  sampleReceiverUrl?: string;
  /** Whether the operator has configured an SMTP server for test emails. */
  hasTestEmails?: boolean;
  /** The version and the commit of Galley, such as 0.1.0+840479ac12. */
  version?: string;
}

/** @throws Error with a message that the page shows to the user. */
export async function loadSettingsConfig(): Promise<SettingsConfig> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
  if (!response.ok) {
    throw new Error(
      response.status === 404
        ? 'The settings area is not set up yet: set AUTH_CLIENT_ID to the client ID from your identity provider, and restart the API.'
        : `The configuration of the settings area could not be loaded (status ${response.status}).`,
    );
  }
  return (await response.json()) as SettingsConfig;
}
