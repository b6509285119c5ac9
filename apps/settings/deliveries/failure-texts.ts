import type { AttemptStage } from '#client';

export interface FailureText {
  /** Short enough for a table cell. */
  label: string;
  title: string;
  cause: string;
  action: string;
}

const stages: Record<Exclude<AttemptStage, 'status'>, FailureText> = {
  event: {
    label: 'Event expired',
    title: 'The event has expired',
    cause:
      'Galley keeps events for 30 days by default. This delivery was still waiting when its event expired.',
    action: 'Use the API to read the current state of the resource instead.',
  },
  sign: {
    label: 'Not signed',
    title: 'Galley could not sign the request',
    cause:
      'The operator of Galley changed the stored secret or SECRETS_KEYS, so Galley can no longer read the secret.',
    action: 'Ask the operator of Galley to fix this. Your receiver is not the cause.',
  },
  dns: {
    label: 'Unknown host',
    title: 'Galley found no address for the host',
    cause:
      'The host name is misspelled, has no DNS record, or is known only inside a private network.',
    action:
      'Check the URL of the webhook. Then check, from outside your network, that the host name resolves to a public address.',
  },
  connect: {
    label: 'No connection',
    title: 'The host did not accept the connection',
    cause: 'The receiver is not running, it listens on another port, or a firewall blocks Galley.',
    action:
      'Check that the receiver is running, that the port in the URL is correct, and that the firewall allows Galley.',
  },
  tls: {
    label: 'TLS failed',
    title: 'The TLS connection failed',
    cause:
      'The certificate has expired, is for another host name, or is sent without its intermediate certificate. Or the receiver does not support TLS 1.2 or later.',
    action:
      'Install a valid certificate with its full chain. To see the certificates that the receiver sends, run openssl s_client -connect host:443.',
  },
  send: {
    label: 'Connection lost',
    title: 'The connection broke while Galley was sending the request',
    cause:
      'The receiver or a proxy in front of it closed the connection, for example during a restart.',
    action:
      'If the connection breaks again, look for restarts and exceeded limits in the logs of the receiver and its proxy.',
  },
  'first-byte': {
    label: 'No response',
    title: 'The receiver sent no valid response',
    cause:
      'The receiver accepted the connection and closed it without a response, or it does not speak HTTP on this port.',
    action: 'Check the port in the URL, and look for a crash in the logs of the receiver.',
  },
};

/** Explanations of specific errors. They replace the explanation of the stage, which would be too general. */
const details = {
  connectTimeout: {
    label: 'Connect timeout',
    title: 'The host did not accept the connection in time',
    cause: 'A firewall drops packets from Galley, or the host is down.',
    action: 'Allow connections from Galley in the firewall, and check that the host is up.',
  },
  responseTimeout: {
    label: 'Timeout',
    title: 'The receiver did not respond within 15 seconds',
    cause:
      'The receiver processes the event before it responds, or it waits for a service that is down.',
    action:
      'Make the receiver store the event, respond with 2xx immediately, and process the event afterwards.',
  },
  notTls: {
    label: 'No TLS',
    title: 'The receiver does not speak TLS on this port',
    cause: 'The URL begins with https, but the server on this port expects http.',
    action: 'Correct the port in the URL, or set up TLS for this port of the receiver.',
  },
  privateAddress: {
    label: 'Private address',
    title: 'The host is in a private network',
    cause:
      'The name resolves to a private, local or reserved address, which Galley does not send to.',
    action: 'Use a public address, or ask the operator of Galley to allow this range of addresses.',
  },
} satisfies Record<string, FailureText>;

const of = (title: string, cause: string, action: string): Omit<FailureText, 'label'> => ({
  title,
  cause,
  action,
});

const statusCodes: Record<number, Omit<FailureText, 'label'>> = {
  400: of(
    'The receiver rejects the request as invalid (400)',
    'The receiver expects a different body, or checks fields that this event does not have.',
    'Compare the body of the request with what the receiver expects. Make the receiver ignore fields that it does not know.',
  ),
  401: of(
    'The receiver does not accept the signature or token (401)',
    'The receiver has an old secret, does not verify the signature against the raw body, or expects a token.',
    'Check that the receiver has the current signing secret, and that it verifies the signature against the raw body, before any parsing. If the receiver needs a token, add a custom header with the token in the settings of the webhook.',
  ),
  403: of(
    'The receiver forbids the request (403)',
    'A firewall or bot protection blocks Galley, or the signature check fails.',
    'Allow requests to this path in the firewall, and check that the receiver has the current signing secret.',
  ),
  404: of(
    'The receiver does not know the path (404)',
    'The path in the URL is wrong, or the receiver was deployed without this route.',
    'Check the URL of the webhook against the routes of the receiver.',
  ),
  405: of(
    'The path does not accept POST (405)',
    'The URL leads to a page instead of the receiver, or the route is for another method.',
    'Register the route for POST, and check for a missing or extra slash at the end of the URL.',
  ),
  408: of(
    'The receiver gave up waiting for the request (408)',
    'The receiver or its proxy did not read the request in time.',
    'Look for signs of overload in the logs of the receiver and its proxy.',
  ),
  410: of(
    'The receiver wants no more events (410)',
    'With this status, the receiver asks Galley to stop sending. Galley disabled the webhook.',
    'If this was not intended, make the receiver respond with 2xx, and enable the webhook in its settings.',
  ),
  413: of(
    'The request is too large for the receiver (413)',
    'The body is larger than the receiver or its proxy allows.',
    'Raise the limit, for example client_max_body_size in nginx.',
  ),
  415: of(
    'The receiver does not accept JSON (415)',
    'The receiver expects a Content-Type other than application/json.',
    'Make the receiver accept application/json on this path.',
  ),
  422: of(
    'The receiver cannot process the event (422)',
    'The receiver checks the content of the event and rejects it.',
    'Make the receiver respond with 2xx to events that it does not need, or remove those events from the webhook.',
  ),
  429: of(
    'The receiver gets too many requests (429)',
    'The receiver or its proxy limits the rate of requests. Galley honours Retry-After.',
    'Set a rate limit in the settings of the webhook, or raise the limit of the receiver.',
  ),
  501: of(
    'The receiver does not support the request (501)',
    'The URL leads to a server that does not handle POST.',
    'Check the URL of the webhook.',
  ),
  502: of(
    'A proxy got no valid response from the receiver (502)',
    'The receiver behind the proxy is down, restarting or crashing.',
    'Check that the receiver is running, and read its logs from the time of the attempt.',
  ),
  503: of(
    'The receiver is not available (503)',
    'The receiver is overloaded, restarting or in maintenance. Galley honours Retry-After.',
    'When the receiver is available again, choose “Send all now” above the list of deliveries.',
  ),
  504: of(
    'A proxy waited too long for the receiver (504)',
    'The receiver processes the event before it responds.',
    'Make the receiver store the event, respond with 2xx immediately, and process the event afterwards.',
  ),
};

const statusClasses = {
  informational: (code: number) =>
    of(
      `The receiver responded with ${code}`,
      'This 1xx status is not a final response. Galley expects a 2xx status.',
      'Make the receiver respond with 200 or 204.',
    ),
  redirect: (code: number) =>
    of(
      `The receiver redirects to another URL (${code})`,
      'Galley does not follow redirects. Often, the URL begins with http instead of https, or lacks a slash at the end.',
      'Set the URL of the webhook to the address in the location header of the response.',
    ),
  client: (code: number) =>
    of(
      `The receiver rejected the request (${code})`,
      'The receiver considers the request invalid.',
      'Read the body of the response and the logs of the receiver for the reason.',
    ),
  server: (code: number) =>
    of(
      `The receiver failed (${code})`,
      'An error occurred in the receiver, or in a service that it depends on.',
      'Read the body of the response, and the logs of the receiver from the time of the attempt. Galley tries again automatically.',
    ),
};

/** Explains failed attempts: the meaning, the usual causes, and what to do. */
export const failures = { stages, details, statusCodes, statusClasses };
