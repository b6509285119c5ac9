import { darkProperties, hoverProperties, mobileProperties } from '../drawing/index.js';
import { attributeSchemas, textStyleSchemas } from './attribute-schemas.js';
import { closed, type JsonSchema } from './json-schema.js';

const flag = (description: string): JsonSchema => ({
  description,
  type: 'boolean',
  default: false,
});

/**
 * The members of a node that have its properties for narrow windows, for dark mode, and under the mouse.
 *
 * @param isRow whether the node has containers side by side.
 */
export function overrideMembers(
  tagName: string,
  { isRow = false }: { isRow?: boolean } = {},
): Record<string, JsonSchema> {
  const hover = schemasOf(tagName, hoverProperties(tagName));
  return {
    mobile: closed('The properties in windows that are narrower than 480 pixels.', {
      hide: flag('Whether the node is hidden.'),
      ...(isRow && {
        stack: {
          ...flag('Whether the columns are below each other instead of side by side.'),
          default: true,
        },
        reverse: flag('Whether the last column is at the top.'),
      }),
      ...schemasOf(tagName, mobileProperties(tagName)),
    }),
    dark: closed(
      'The properties in dark mode. Not all mail clients use them.',
      schemasOf(tagName, darkProperties(tagName)),
    ),
    ...(Object.keys(hover).length > 0 && {
      hover: closed('The properties while the mouse is over the node.', hover),
    }),
  };
}

/** The schemas of some properties of an element, without defaults. */
function schemasOf(tagName: string, names: readonly string[]): Record<string, JsonSchema> {
  const all = { ...textStyleSchemas(), ...attributeSchemas(tagName) };
  return Object.fromEntries(
    names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}
