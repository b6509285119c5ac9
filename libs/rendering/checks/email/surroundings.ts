import { inherit, objectIn, textIn, type DocumentNode, type Place } from '../../document/index.js';
import {
  darkInside,
  readOverrides,
  textStylesOf,
  type Surroundings as StyleSurroundings,
} from '../../drawing/index.js';
import { backgroundOn, type Background } from './colours.js';

/** The styles that apply to the nodes inside a node. */
export interface Surroundings extends StyleSurroundings {
  background: Background;
  /** The background in dark mode. */
  darkBackground: Background;
}

const TAG_NAMES = {
  wrapper: 'mj-wrapper',
  hero: 'mj-hero',
  stripe: 'mj-section',
  structure: 'mj-section',
  container: 'mj-column',
  column: 'mj-column',
};

/** Returns the styles that apply inside a node. */
export function inside(
  outer: Surroundings,
  place: Place,
  kind: keyof typeof TAG_NAMES,
): Surroundings {
  const properties = objectIn(place.node, kind === 'column' ? 'props' : 'styles');
  const isStyled = kind === 'stripe' || kind === 'container';
  const light = { ...(isStyled && outer.document.own[kind]), ...properties };
  const { dark } = readOverrides(outer, place, TAG_NAMES[kind], properties, isStyled ? [kind] : []);
  return {
    ...outer,
    inherited: inherit(outer.inherited, textStylesOf(outer.drawing, place, properties)),
    ...darkInside(outer, dark, light),
    background: backgroundOf(outer.background, light),
    darkBackground: backgroundOf(outer.darkBackground, { ...light, ...dark }),
  };
}

function backgroundOf(below: Background, properties: DocumentNode): Background {
  const outer = backgroundOn(
    below,
    textIn(properties, 'background-color'),
    textIn(properties, 'background-url'),
  );
  return backgroundOn(outer, textIn(properties, 'inner-background-color'));
}
