import { escapeUTF8 } from 'entities/escape';
import { htmlPage, REFRESH_SCRIPT } from '../html-page.js';

export interface CaughtEmail {
  id: string;
  receivedAt: Date;
  /** The recipients of the envelope. */
  to: string[];
  subject: string;
  /** Empty if the email has no HTML. */
  html: string;
  text: string;
  /** The headers as they were sent, decoded as UTF-8. */
  headers: string;
}

/** The headers of the HTML of an email. The browser loads pictures and styles, but runs nothing. */
export const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "sandbox allow-popups; default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline' http: https:; font-src http: https:; frame-ancestors 'self'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Renders the page with the latest emails, newest first. */
export function catcherPage(
  { path, settingsUrl }: { path: string; settingsUrl: string },
  emails: readonly CaughtEmail[],
): ReturnType<typeof htmlPage> {
  return htmlPage({
    title: 'Mail catcher',
    isWide: true,
    directives: ["connect-src 'self'", "frame-src 'self'"],
    script: REFRESH_SCRIPT,
    content: `<p>Test emails of this Galley appear here. The mail catcher accepts all emails and delivers none.</p>
<nav><a href="${escapeUTF8(settingsUrl)}">Settings area of Galley</a></nav>
<h2 id="latest">Latest emails</h2>
<ol class="list" id="messages" aria-labelledby="latest">${emails.map((email) => renderEmail(path, email)).join('')}</ol>
<p>No email has arrived since Galley started. Send a test email of a template.</p>`,
  });
}

function renderEmail(path: string, email: CaughtEmail): string {
  const { id, receivedAt, to, subject, html, text, headers } = email;
  // The reader's browser runs on this machine, in the same time zone.
  const [time] = receivedAt.toTimeString().split(' ');
  const frame = `<iframe sandbox="allow-popups" loading="lazy" title="${escapeUTF8(subject)}" src="${path}/${id}"></iframe>`;
  return `<li id="${id}"><details>
<summary><time datetime="${receivedAt.toISOString()}">${time}</time><strong>${escapeUTF8(subject)}</strong><span>${escapeUTF8(to.join(', '))}</span></summary>
${html === '' ? '<p>The email has no HTML.</p>' : frame}
<p>Plain text</p>
<pre tabindex="0" aria-label="Plain text">${escapeUTF8(text)}</pre>
<p>Headers</p>
<pre tabindex="0" aria-label="Headers">${escapeUTF8(headers)}</pre>
</details></li>`;
}
