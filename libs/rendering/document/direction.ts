// cspell:words Adlm Hebr Mand Nkoo Rohg Samr Syrc Thaa

export const directions = ['ltr', 'rtl'] as const;
export type Direction = (typeof directions)[number];

// The scripts of today's languages that Unicode writes from right to left, as ISO 15924 codes.
const RTL_SCRIPTS = new Set('Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa'.split(' '));

// RFC 5646, section 4.4.1, recommends at least 35 characters. `Intl` takes quadratic time for a long language tag.
export const MAX_LANGUAGE_LENGTH = 35;

/** The direction in which a language is written. `ltr` for a text that is not a language tag (BCP 47). */
export function directionOf(language = ''): Direction {
  const tag = language.trim().replaceAll('_', '-');
  if (tag.length > MAX_LANGUAGE_LENGTH) return 'ltr';
  try {
    const { script = '' } = new Intl.Locale(tag).maximize();
    return RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr';
  } catch {
    // `Intl` rejects a text that is no language tag.
    return 'ltr';
  }
}
