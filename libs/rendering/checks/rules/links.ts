import { defineRules } from '../rule.js';
import { hasMergeTag } from './merge-tags.js';

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const MAX_DOMAIN_LENGTH = 253;
const DOMAIN = /^(?:https?:\/\/)?((?:[a-z\d-]+\.)+([a-z]{2,24}))(?:[/?#]\S*)?$/i;
// `Node.js` is a name and `report.pdf` is a file. Neither is a domain.
const FILE_ENDINGS = new Set(
  'js ts pdf zip doc docx xls xlsx png jpg ics html htm csv md json txt xml'.split(' '),
);
const LINK_WORDS = new Set(
  // cspell:disable
  `click|click here|here|click this|this link|link|more|read more|learn more|see more|more info|details
|hier|hier klicken|klicken sie hier|mehr|mehr lesen|weiterlesen|mehr erfahren
|ici|cliquez ici|lire la suite|en savoir plus|aquí|haz clic aquí|leer más|más`.split(/\n?\|/),
);
const UNSUBSCRIBE =
  /unsubscri|opt[-_ ]?out|abmeld|abbestell|désabonn|desabonn|désinscri|desinscri|darse de baja|cancelar (?:la )?suscripci|disiscri|afmeld|(?:email|mail|subscription|notification)[-_ ]?(?:preferences|settings)/i;
// cspell:enable
const MAX_SEARCHED_LENGTH = 2_000;

export const linkRules = defineRules([
  {
    name: 'link-empty',
    severity: 'error',
    help: 'Set `href` to a URL that begins with https://.',
    *find({ links }) {
      for (const { place, href = '' } of links) {
        if (href.trim() === '' || href.trim() === '#') {
          yield { place, message: 'The link leads nowhere.' };
        }
      }
    },
  },
  {
    name: 'link-address',
    severity: 'error',
    help: 'Use a complete URL, such as https://example.com/shop. Relative URLs do not work in emails.',
    *find({ links }) {
      for (const { place, href = '' } of links) {
        const url = href.trim();
        if (url === '' || url.startsWith('#') || hasMergeTag(url) || SCHEME.test(url)) continue;
        yield { place, message: 'The URL of the link has no scheme, such as https:// or mailto:.' };
      }
    },
  },
  {
    name: 'link-insecure',
    severity: 'warning',
    help: 'Use https:// instead of http://.',
    *find({ links }) {
      for (const { place, href = '' } of links) {
        if (/^\s*http:/i.test(href)) {
          yield { place, message: 'The link uses http://, which is not encrypted.' };
        }
      }
    },
  },
  {
    name: 'link-mismatch',
    severity: 'warning',
    help: 'Show the domain that the link leads to, or show words instead. Spam filters suspect fraud if a link shows a different domain.',
    *find({ links }) {
      for (const { place, href = '', label = '' } of links) {
        const shown = shownHostOf(label);
        const host = hostOf(href);
        if (shown === undefined || host === undefined || isSameSite(shown, host)) continue;
        const target = host.slice(0, MAX_DOMAIN_LENGTH);
        yield { place, message: `The link shows ${shown}, but leads to ${target}.` };
      }
    },
  },
  {
    name: 'link-vague',
    severity: 'info',
    help: 'Say where the link leads, for example "See the summer offers". Users of screen readers often hear links without the text around them.',
    *find({ links }) {
      for (const { place, label = '' } of links) {
        if (label.length > MAX_DOMAIN_LENGTH) continue;
        const words = label
          .toLowerCase()
          .replace(/[^\p{Letter}\d ]/gu, '')
          .trim();
        if (LINK_WORDS.has(words)) {
          yield { place, message: `The text "${label}" does not say where the link leads.` };
        }
      }
    },
  },
  {
    name: 'link-without-text',
    severity: 'error',
    help: 'Add text that says where the link leads. If the link contains only a picture, put this text into the `alt` of the picture.',
    *find({ links }) {
      for (const { place, label } of links) {
        // The rule `alt-missing` reports images without any alternative text.
        if (label?.trim() === '') {
          yield { place, message: 'Screen readers have nothing to read out for this link.' };
        }
      }
    },
  },
  {
    name: 'unsubscribe-missing',
    severity: 'warning',
    help: 'Add an unsubscribe link. If the email does not need one, for example because it is a receipt, ignore this finding.',
    *find({ document, links }) {
      const isFound = links.some(({ href = '', label = '' }) =>
        [href, label].some((text) => UNSUBSCRIBE.test(text.slice(0, MAX_SEARCHED_LENGTH))),
      );
      if (!isFound) yield { place: document, message: 'No link looks like an unsubscribe link.' };
    },
  },
]);

/** The host that a text shows, if the whole text is a URL or a domain. */
function shownHostOf(label: string): string | undefined {
  if (label.length > MAX_DOMAIN_LENGTH) return undefined;
  const [, domain, ending = ''] = DOMAIN.exec(label) ?? [];
  return FILE_ENDINGS.has(ending.toLowerCase()) ? undefined : domain?.toLowerCase();
}

function hostOf(href: string): string | undefined {
  if (hasMergeTag(href) || !URL.canParse(href)) return undefined;
  const { hostname, protocol } = new URL(href);
  return /^https?:$/.test(protocol) ? hostname : undefined;
}

/** Whether the hosts are equal, or one host is a subdomain of the other. A leading `www.` is ignored. */
function isSameSite(one: string, other: string): boolean {
  const [a, b] = [one, other].map((host) => `.${host.replace(/^www\./, '')}`);
  return a === undefined || b === undefined || a.endsWith(b) || b.endsWith(a);
}
