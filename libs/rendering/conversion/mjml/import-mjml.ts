import {
  CONTENT_WIDTHS,
  DEFAULT_WIDTH,
  directionOf,
  directions,
  isObject,
  type Direction,
  type DocumentNode,
} from '../../document/index.js';
import { hexColour } from '../html/hex-colour.js';
import { NotImportable } from '../not-importable.js';
import type { Report } from '../report.js';
import { attributesSet, defaultsOf } from './element-attributes.js';
import { childrenNamed, type MjmlElement } from './mjml-element.js';
import { MjmlRun } from './mjml-run.js';
import { commonLinkColour, shareStyles, textMembersOf } from './shared-styles.js';
import { importStripes } from './stripes.js';

const isDirection = (value: string | undefined): value is Direction =>
  (directions as readonly (string | undefined)[]).includes(value);

/**
 * Turns MJML into a document.
 *
 * @throws NotImportable if the MJML has no body.
 */
export function importMjml(report: Report, mjml: MjmlElement): DocumentNode {
  const { dir, lang } = mjml.attributes;
  const language = lang === undefined || lang === 'und' ? undefined : lang;
  const natural = directionOf(language);
  const direction = isDirection(dir) ? dir : natural;
  const [body] = childrenNamed(mjml, 'mj-body');
  if (body === undefined) throw new NotImportable('it has no mj-body element.');
  const run = new MjmlRun(report, mjml, direction);
  const attributes = { ...defaultsOf('mj-body'), ...attributesSet(run.head, body) };
  const width = widthOf(report, body, attributes);
  const stripes = importStripes(run, body.children, {
    path: '/stripes',
    width,
    isShared: false,
    isInWrapper: false,
    classAround: body.attributes['mj-class'] ?? '',
  });
  const { title, preheader } = run.head;
  const members = textMembersOf(run.head);
  const { fonts } = run.fonts;
  const { darkBackground } = run.styles.ofGalley;
  reportFonts(run);
  // The styles of the document are shared first, because this changes the properties of the nodes.
  const linkColour = commonLinkColour(run.nodes);
  const shared = shareStyles(run, members, linkColour);
  return {
    ...(language !== undefined && { language }),
    ...(direction !== natural && { direction }),
    ...(title !== undefined && { title }),
    ...(preheader !== undefined && { preheader }),
    styles: {
      ...(width !== DEFAULT_WIDTH && { contentWidth: width }),
      ...backgroundOf(report, body, attributes),
      ...members,
      ...(linkColour !== undefined && { linkColor: linkColour }),
      ...shared,
      ...(darkBackground !== undefined && { dark: { backgroundColor: darkBackground } }),
    },
    ...(fonts.length > 0 && { fonts }),
    stripes: withoutEmpty(stripes),
  };
}

/** Removes the styles and properties of nodes that set none. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) =>
      !['styles', 'props'].includes(name) || !isObject(member) || Object.keys(member).length > 0,
  );
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutEmpty(member)]));
}

// MJML adds links to these fonts if a text uses them. They would tell Google who reads the email.
const FONTS_OF_MJML = ['Droid Sans', 'Lato', 'Open Sans', 'Roboto', 'Ubuntu'];

function reportFonts({ report, mjml, nodes, fonts }: MjmlRun): void {
  // Editors load no fonts that their documents do not name.
  if (mjml.source === '') return;
  const families = nodes.map(({ properties }) => properties['font-family'] ?? '').join(',');
  const names = families.split(',').map((name) => name.trim().replace(/^["']|["']$/g, ''));
  const own = new Set(fonts.fonts.map(({ name }) => name));
  const loaded = FONTS_OF_MJML.filter((name) => names.includes(name) && !own.has(name));
  if (loaded.length === 0) return;
  const message = `MJML loads ${loaded.join(', ')} from Google, and Galley does not. To load a font, add it to fonts.`;
  report.add('approximated', mjml.source, message);
}

function widthOf(
  report: Report,
  { source }: MjmlElement,
  { width = '' }: Record<string, string>,
): number {
  const pixels = Math.round(Number(/^([\d.]+)px$/.exec(width)?.[1]));
  const [least, most] = CONTENT_WIDTHS;
  if (pixels >= least && pixels <= most) return pixels;
  report.add('approximated', source, `The content is ${DEFAULT_WIDTH} pixels wide.`);
  return DEFAULT_WIDTH;
}

function backgroundOf(
  report: Report,
  { source }: MjmlElement,
  { 'background-color': colour = '' }: Record<string, string>,
): { backgroundColor?: string } {
  if (colour === '') return {};
  const hex = hexColour(colour);
  if (hex !== undefined) return { backgroundColor: hex };
  report.add('lost', source, `The background colour ${colour} has no hexadecimal number.`);
  return {};
}
