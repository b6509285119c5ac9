import { inherit, objectIn, textIn, type DocumentNode, type Place } from '../../document/index.js';
import { textStylesOf, type Surroundings as StyleSurroundings } from '../../drawing/index.js';
import { backgroundOn, type Background } from './colours.js';

/** The styles that apply to the nodes inside a node. */
export interface Surroundings extends StyleSurroundings {
  background: Background;
}

/** Returns the styles that apply inside a node. */
export function inside(
  outer: Surroundings,
  place: Place,
  kind: 'wrapper' | 'hero' | 'stripe' | 'structure' | 'container' | 'column',
): Surroundings {
  const properties = objectIn(place.node, kind === 'column' ? 'props' : 'styles');
  const ofDocument = kind === 'stripe' || kind === 'container' ? outer.document.own[kind] : {};
  return {
    ...outer,
    inherited: inherit(outer.inherited, textStylesOf(outer.drawing, place, properties)),
    background: backgroundOf(outer.background, { ...ofDocument, ...properties }),
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
