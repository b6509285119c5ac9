const STYLE = `
:root { color-scheme: light dark; --accent: #0b6b57; --line: color-mix(in srgb, CanvasText 18%, Canvas); }
@media (prefers-color-scheme: dark) { :root { --accent: #6ad4b8; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; border-bottom: 1px solid var(--line); }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font-size: 0.9em; }
pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; overflow-wrap: normal; }
th, td { padding: 0.375rem 0.75rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
`;

interface Page {
  title: string;
  /** HTML that this program has generated. */
  body: string;
}

/** The links at the top of each page. */
const NAVIGATION = [
  ['/', 'Galley'],
  ['/docs', 'API reference'],
  ['/docs/guides', 'Guides'],
  ['/openapi.json', 'openapi.json'],
];

export const link = (href: string, text: string): string => `<a href="${href}">${text}</a>`;

export const renderPage = ({ title, body }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>${NAVIGATION.map(([href = '', text = '']) => link(href, text)).join('')}</header>
<main>
${body}
</main>
</body>
</html>
`;
