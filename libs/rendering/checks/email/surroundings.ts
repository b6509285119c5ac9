import {
  inherit,
  objectIn,
  textIn,
  type DocumentNode,
  type Place,
  type TextStyles,
} from '../../document/index.js';
import { textStylesOf, type DocumentStyles, type Drawing } from '../../drawing/index.js';
import { backgroundOn, type Background } from './colours.js';

/** The styles that apply to the nodes inside a node. */
export interface Surroundings {
  drawing: Drawing;
  document: DocumentStyles;
  inherited: Partial<TextStyles>;
  background: Background;
}

/** Returns the styles that apply inside a node. */
export function inside(
  outer: Surroundings,
  place: Place,
  kind: 'stripe' | 'container' | 'column',
): Surroundings {
  const isColumn = kind === 'column';
  const properties = objectIn(place.node, isColumn ? 'props' : 'styles');
  // A column is inside a container, whose properties already apply.
  const ofDocument = isColumn ? {} : outer.document.own[kind];
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
