import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTagSuggestions } from './tag-queries.js';
import { MAX_TAG_LENGTH, MAX_TAGS } from '../library-search.js';

/** A field for several tags, which suggests the tags of the workspace. */
export function TagField(props: TagsInputProps) {
  const [hasFocus, setFocus] = useState(false);
  const suggestions = useTagSuggestions({ isEnabled: hasFocus });
  return (
    <TagsInput
      maxTags={MAX_TAGS}
      maxLength={MAX_TAG_LENGTH}
      {...props}
      data={[...suggestions]}
      // By default, upper and lower case would be equal.
      isDuplicate={(tag, tags) => tags.includes(tag)}
      onFocus={(event) => {
        setFocus(true);
        props.onFocus?.(event);
      }}
    />
  );
}
