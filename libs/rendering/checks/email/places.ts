import { isObject, objectIn, type Place } from '../../document/index.js';

/** Returns the objects in an array of a node, with their paths. */
export function placesIn({ node, path }: Place, member: string): Place[] {
  const value = node[member];
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown, index) =>
    isObject(each) ? [{ node: each, path: `${path}/${member}/${index}` }] : [],
  );
}

/** Returns the objects in an array of a block's properties, such as the links of a menu. */
export const placesInProps = ({ node, path }: Place, member: string): Place[] =>
  placesIn({ node: objectIn(node, 'props'), path: `${path}/props` }, member);
