import { decodeHTML } from 'entities';

/** The declarations of a `style` attribute as HTML has it, in their order. */
export function declarationsIn(style = ''): [name: string, value: string][] {
  return decodeHTML(style)
    .split(';')
    .flatMap((declaration): [string, string][] => {
      const colon = declaration.indexOf(':');
      if (colon === -1) return [];
      const name = declaration.slice(0, colon).trim();
      const value = declaration.slice(colon + 1).trim();
      return name === '' || value === '' ? [] : [[name.toLowerCase(), value]];
    });
}

export const declares = (style: string | undefined, name: string): boolean =>
  declarationsIn(style).some(([each]) => each === name || each.startsWith(`${name}-`));

/** The value of the last declaration with a name, without `!important`. */
export function valueOf(style: string | undefined, name: string): string | undefined {
  const value = declarationsIn(style).findLast(([each]) => each === name)?.[1];
  // A regular expression with white space before the word would take quadratic time.
  return value?.toLowerCase().endsWith(IMPORTANT)
    ? value.slice(0, -IMPORTANT.length).trimEnd()
    : value;
}
const IMPORTANT = '!important';
