import { escapeUTF8 } from 'entities/escape';
import { htmlPage, REFRESH_SCRIPT } from '../html-page.js';
import { REACTIONS, type Reaction } from './reactions.js';

export interface ReceivedMessage {
  id: string;
  receivedAt: Date;
  /** The beginning of the body. */
  body: string;
  headers: [name: string, value: string][];
  /** How the receiver responded to the message. */
  reaction: Reaction;
}

export const REACTION_PATH = '/sample-receiver/reaction';

/**
 * Renders the page with the latest messages, newest first. On the page, the reader chooses how the receiver responds to
 * further messages.
 */
export function receiverPage(
  { url, settingsUrl }: { url: string; settingsUrl: string },
  reaction: Reaction,
  messages: readonly ReceivedMessage[],
): ReturnType<typeof htmlPage> {
  const buttons = REACTIONS.map(({ name, label }) => {
    const isCurrent = name === reaction.name;
    const look = isCurrent ? '' : ' class="second"';
    return `<button name="reaction" value="${name}" aria-pressed="${isCurrent}"${look}>${label}</button>`;
  });
  return htmlPage({
    title: 'Sample receiver',
    isWide: true,
    directives: ["form-action 'self'", "connect-src 'self'"],
    script: REFRESH_SCRIPT,
    content: `<p>The messages of all webhooks with the URL <code>${escapeUTF8(url)}</code> appear here.</p>
<p>This page does not verify signatures, because it does not know the secret of your webhook. Your own receiver must verify each message, as <code>npm run receiver</code> in Galley's README does.</p>
<nav><a href="${escapeUTF8(settingsUrl)}">Settings area of Galley</a></nav>
<h2>Response to the next messages</h2>
<form method="post" action="${REACTION_PATH}" class="choice">
${buttons.join('\n')}
</form>
<p role="status">${reaction.effect}</p>
<h2 id="latest">Latest messages</h2>
<ol class="list" id="messages" aria-labelledby="latest">${messages.map(renderMessage).join('')}</ol>
<p>No message has arrived since Galley started. Create a webhook with this URL, and send a test event.</p>`,
  });
}

function renderMessage({ id, receivedAt, body, headers, reaction }: ReceivedMessage): string {
  // The reader's browser runs on this machine, in the same time zone.
  const [time] = receivedAt.toTimeString().split(' ');
  const { event, formatted } = parseBody(body);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `<li id="${id}"><details>
<summary><time datetime="${receivedAt.toISOString()}">${time}</time><strong>${escapeUTF8(event)}</strong><span${reaction.isFailure ? ' class="alert"' : ''}>${statusOf(reaction)}</span></summary>
<p>Body</p>
<pre tabindex="0" aria-label="Body">${escapeUTF8(formatted)}</pre>
<p>Headers</p>
<pre tabindex="0" aria-label="Headers">${escapeUTF8(lines.join('\n'))}</pre>
</details></li>`;
}

const statusOf = ({ statusCode, delayMs }: Reaction): string =>
  delayMs === 0 ? String(statusCode) : `${statusCode} after ${delayMs / 1_000} s, too late`;

/** The body may not be JSON: anyone can send messages, and long bodies are truncated. */
function parseBody(body: string): { event: string; formatted: string } {
  try {
    const message = JSON.parse(body) as unknown;
    const event = (message as { event?: unknown } | null)?.event;
    return {
      event: typeof event === 'string' ? event : 'No event',
      formatted: JSON.stringify(message, null, 2),
    };
  } catch {
    return { event: 'Not JSON, or too long to show', formatted: body };
  }
}
