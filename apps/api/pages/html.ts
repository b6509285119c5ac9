import type { Assets, AssetName } from './assets.js';

interface Page {
  title: string;
  /** The path of the navigation entry that leads to this page. */
  path: string;
  /** HTML that this program has generated. It is not escaped. */
  body: string;
  scripts?: AssetName[];
  styles: AssetName[];
}

/** The links at the top of each page. */
const NAVIGATION = [
  ['/', 'Galley'],
  ['/docs', 'API reference'],
  ['/docs/guides', 'Guides'],
  ['/openapi.json', 'openapi.json'],
];

/** @param isCurrent whether the link leads to the page that contains the link. */
export const link = (href: string, text: string, isCurrent = false): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${text}</a>`;

/** Renders pages with a common header and style. */
export class PageRenderer {
  constructor(private readonly assets: Assets) {}

  render({ title, path, body, scripts = [], styles }: Page): string {
    const stylesheets = (['pages.css', ...styles] as const).map(
      (name) => `<link rel="stylesheet" href="${this.assets.urlOf(name)}">`,
    );
    // Browsers run modules after they have parsed the page, in the order of the script elements.
    const modules = scripts.map(
      (name) => `<script type="module" src="${this.assets.urlOf(name)}"></script>`,
    );
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${[...stylesheets, ...modules].join('\n')}
</head>
<body>
<header>
<nav aria-label="Galley">
${NAVIGATION.map(([href = '', text = '']) => link(href, text, href === path)).join('\n')}
</nav>
<span id="session" role="status"></span>
</header>
${body}
</body>
</html>
`;
  }
}
