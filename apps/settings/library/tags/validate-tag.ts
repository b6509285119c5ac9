import { texts } from '../../texts/index.js';
import { tags as tagTexts } from '../../texts/library/tags.js';
import { MAX_TAG_LENGTH } from '../library-search.js';

/** The rule of the API for tags. */
export function validateTag(name: string): string | null {
  const tag = name.trim();
  if (tag === '') return texts.common.nameRequired;
  if (tag.length > MAX_TAG_LENGTH) return tagTexts.nameTooLong;
  return tag.includes(',') ? tagTexts.nameWithComma : null;
}
