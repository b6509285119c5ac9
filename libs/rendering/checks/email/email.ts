import {
  DEFAULT_BACKGROUND,
  inboxTexts,
  isObject,
  missingModule,
  objectIn,
  RenderWarnings,
  textIn,
  type Attributes,
  type DocumentNode,
  type InboxText,
  type Place,
  type RenderWarning,
} from '../../document/index.js';
import { Drawing, readStyles } from '../../drawing/index.js';
import { Placeholders } from '../../personalisation/index.js';
import type { ProgressWithPaths } from '../../translations/index.js';
import { declarationIn, type BreakingChange, type Declaration } from '../../variables/index.js';
import { backgroundOn, parseColour } from './colours.js';
import { inside, type Surroundings } from './surroundings.js';
import {
  readBlock,
  type BlockParts,
  type EmailImage,
  type EmailLink,
  type EmailText,
} from './blocks.js';
import { placesIn } from './places.js';

/** The input of the rules: a document, and the HTML that Galley generates from it. */
export interface Email extends BlockParts {
  document: Place;
  /** The document and all its nodes. Each node comes after the node that contains it. */
  nodes: Place[];
  /** The nodes that come from modules: the root node of each module, and all nodes inside it. */
  nodesOfModules: Set<Place>;
  /** The nodes that are shown only on phones. They often repeat nodes that are shown only in wide windows. */
  mobileNodes: Set<Place>;
  /** All blocks, including blocks of unknown types, but without the empty nodes that stand for missing modules. */
  blocks: Place[];
  /** The properties of blocks of known types, including the defaults. */
  properties: Map<Place, Attributes>;
  texts: EmailText[];
  links: EmailLink[];
  images: EmailImage[];
  /** The empty nodes that stand for missing modules. */
  missingModules: Place[];
  /** The warnings about parts that Galley could not draw. */
  warnings: readonly RenderWarning[];
  html: string;
  /** The texts for the list of emails that the document has, filled with the data. */
  inbox: Partial<Record<InboxText, string>>;
  /** The names of the variables that the email uses, such as `order.items[].price`. */
  used: ReadonlySet<string>;
  /** The variables that the document declares. */
  declaration: Declaration;
  /** The changes of the variables since the published version, if the check is made before publishing. */
  breaking: readonly BreakingChange[];
  /** The progress of the languages into which the document is translated. */
  translations: readonly ProgressWithPaths[];
  /** The latest versions of the modules that the document pins, by module id. */
  latestVersions: Readonly<Record<string, number>>;
  /** The variables for which the data has no value; undefined without data. */
  missing?: ReadonlySet<string> | undefined;
}

const DEFAULT = { colour: parseColour(DEFAULT_BACKGROUND) };

/** Collects the texts, links and images of a document, so that rules need not know how blocks store them. */
export function readEmail(
  document: DocumentNode,
  known: Pick<Email, 'html' | 'warnings' | 'latestVersions' | 'missing'> &
    Partial<Pick<Email, 'inbox' | 'used' | 'translations' | 'breaking'>>,
): Email {
  const place = { node: document, path: '' };
  const email: Email = {
    document: place,
    inbox: inboxOf(document),
    used: new Set(),
    translations: [],
    breaking: [],
    declaration: declarationIn(document),
    nodes: [place],
    nodesOfModules: new Set(),
    mobileNodes: new Set(),
    blocks: [],
    properties: new Map(),
    texts: [],
    links: [],
    images: [],
    missingModules: [],
    ...known,
  };
  const { backgroundColor } = objectIn(document, 'styles');
  const colour = typeof backgroundColor === 'string' ? backgroundColor : undefined;
  const background = backgroundOn(DEFAULT, colour);
  const drawing = new Drawing(new Placeholders(), new RenderWarnings(), document);
  const styles = readStyles(drawing, document);
  const outer = {
    drawing,
    document: styles,
    inherited: {},
    dark: styles.dark.text,
    staysLight: false,
    background,
    darkBackground: backgroundOn(background, styles.dark.background),
  };
  readStripes(email, place, outer);
  return email;
}

/** Reads the stripes, wrappers and heroes of the document or of a wrapper. */
function readStripes(email: Email, parent: Place, outer: Surroundings): void {
  for (const stripe of childrenOf(email, parent, 'stripes')) {
    const { type, structures } = stripe.node;
    if (type === 'wrapper') readStripes(email, stripe, inside(outer, stripe, 'wrapper'));
    else if (type === 'hero') {
      const inHero = inside(outer, stripe, 'hero');
      for (const block of childrenOf(email, stripe, 'blocks')) addBlock(email, block, inHero);
    } else if (structures === undefined) readRow(email, stripe, inside(outer, stripe, 'stripe'));
    else {
      const inStripe = inside(outer, stripe, 'stripe');
      for (const structure of childrenOf(email, stripe, 'structures')) {
        readRow(email, structure, inside(inStripe, structure, 'structure'));
      }
    }
  }
}

function readRow(email: Email, row: Place, inRow: Surroundings): void {
  for (const container of childrenOf(email, row, 'containers')) {
    readContainer(email, container, inRow);
  }
}

/** A container is one column, or has several columns side by side. */
function readContainer(email: Email, container: Place, inRow: Surroundings): void {
  const inContainer = inside(inRow, container, 'container');
  const blocks = childrenOf(email, container, 'blocks');
  if (blocks.length > 0 && blocks.every(({ node }) => node['type'] === 'column')) {
    for (const column of blocks) {
      const inColumn = inside(inContainer, column, 'column');
      for (const block of childrenOf(email, column, 'blocks')) addBlock(email, block, inColumn);
    }
    return;
  }
  for (const block of blocks) addBlock(email, block, inContainer);
}

/**
 * Returns the nodes in a list of a node, without the empty nodes that stand for missing modules. Registers nodes and
 * missing modules in `email`.
 */
function childrenOf(email: Email, parent: Place, member: string): Place[] {
  return placesIn(parent, member).filter((place) => {
    const isMissing = missingModule(place.node) !== undefined;
    (isMissing ? email.missingModules : email.nodes).push(place);
    const isOfModule = isObject(place.node['$module']) || email.nodesOfModules.has(parent);
    if (isOfModule) email.nodesOfModules.add(place);
    const isForMobile = place.node['visibility'] === 'mobile' || email.mobileNodes.has(parent);
    if (isForMobile) email.mobileNodes.add(place);
    return !isMissing;
  });
}

function addBlock(email: Email, block: Place, surroundings: Surroundings): void {
  email.blocks.push(block);
  const { properties, texts, links, images } = readBlock(block, surroundings);
  if (properties) email.properties.set(block, properties);
  for (const text of texts) email.texts.push(text);
  for (const link of links) email.links.push(link);
  for (const image of images) email.images.push(image);
}

/** The texts for the list of emails as written in the document, which has merge tags instead of data. */
const inboxOf = (document: DocumentNode): Email['inbox'] =>
  Object.fromEntries(
    inboxTexts
      .map((name) => [name, textIn(document, name)?.trim()] as const)
      .filter(([, text]) => text),
  );
