import { hash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';

interface HtmlPage {
  title: string;
  /** The HTML below the heading. */
  content: string;
  /** Additional Content-Security-Policy directives, such as `form-action` for a page with a form. */
  directives: string[];
  /** A script that runs at the end of the page. The browser blocks all other scripts. */
  script?: string;
  /** A page with a list needs more room than a page with a form. */
  isWide?: boolean;
}

const STYLE = `
:root { color-scheme: light dark; --accent: #0b6b57; --on-accent: #fff; --alert: #b3261e; --on-alert: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #6ad4b8; --on-accent: #06231c; --alert: #ff8a80; --on-alert: #3b0906; }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText;
}
main {
  width: 100%; max-width: 24rem; padding: 2rem; border-radius: 0.75rem;
  border: 1px solid color-mix(in srgb, CanvasText 18%, Canvas);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0.5rem 0 0; overflow-wrap: anywhere; }
label { display: block; margin: 1.5rem 0 0.375rem; font-weight: 600; }
input, button { width: 100%; padding: 0.625rem 0.75rem; font: inherit; border-radius: 0.5rem; }
input {
  color: inherit; background: Field;
  border: 1px solid color-mix(in srgb, CanvasText 50%, Canvas);
}
input[aria-invalid] { border-color: var(--alert); }
button {
  margin-top: 1rem; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
button.second { color: inherit; background: none; border-color: currentcolor; }
button.danger { color: var(--on-alert); background: var(--alert); border-color: var(--alert); }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { color: var(--alert); }
main.wide { max-width: 48rem; padding: clamp(1rem, 4vw, 2rem); align-self: start; }
h2 { margin: 2rem 0 0; font-size: 1.125rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
.choice { margin-top: 0.75rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 0.5rem; }
.choice button { margin-top: 0; }
.list { margin: 0.75rem 0 0; padding: 0; list-style: none; }
.list:not(:empty) + p { display: none; }
.list li { border-top: 1px solid color-mix(in srgb, CanvasText 18%, Canvas); }
summary { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.625rem 0; cursor: pointer; }
summary::before { content: '▸'; }
[open] > summary::before { content: '▾'; }
summary strong { flex: 1; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  summary time { flex: 1; }
  summary strong { order: 1; flex-basis: 100%; padding-left: 1.25rem; }
}
iframe { width: 100%; height: 36rem; border: 0; border-radius: 0.5rem; background: #fff; }
details > p { margin: 0 0 0.25rem; font-weight: 600; }
pre {
  margin: 0 0 1rem; padding: 0.75rem; border-radius: 0.5rem; max-height: 20rem; overflow: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; background: color-mix(in srgb, CanvasText 6%, Canvas);
}
`;

const REFRESH_MS = 1_000;

/**
 * A script for a page with a list whose id is `messages`. Adds new messages to the list, and keeps open the messages
 * that the reader has opened. A refresh fails while Galley is stopped. The page ignores the failure, because the next
 * refresh reads everything.
 */
export const REFRESH_SCRIPT = `
const list = document.getElementById('messages');
const refresh = async () => {
  if (document.hidden) return;
  const html = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(html, 'text/html');
  const messages = [...page.getElementById('messages').children];
  for (const message of messages.toReversed()) {
    if (!document.getElementById(message.id)) list.prepend(message);
  }
  while (list.children.length > Math.max(messages.length, 1)) list.lastElementChild.remove();
};
setInterval(() => refresh().catch(() => {}), ${REFRESH_MS});
`;

const cspHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Renders the headers and the HTML of a development page. The page loads nothing from other servers. */
export function htmlPage({ title, content, directives, script, isWide = false }: HtmlPage): {
  headers: Record<string, string>;
  html: string;
} {
  const policy = [
    "default-src 'none'",
    `style-src ${cspHash(STYLE)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...directives,
  ];
  if (script !== undefined) policy.push(`script-src ${cspHash(script)}`);
  return {
    headers: {
      'Content-Security-Policy': policy.join('; '),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeUTF8(title)}</title>
<style>${STYLE}</style>
<main${isWide ? ' class="wide"' : ''}>
<h1>${escapeUTF8(title)}</h1>
${content}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</html>
`,
  };
}
