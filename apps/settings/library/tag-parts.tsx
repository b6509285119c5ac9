import { Group, TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { LinkBadge } from '../controls/links.js';
import type { Kind } from './kinds.js';
import { MAX_TAG_LENGTH, MAX_TAGS } from './library-search.js';
import { useTagSuggestions } from './tag-queries.js';
import { libraryTexts } from './texts.js';

interface TagLinksProps {
  workspaceId: string;
  section: Kind['section'];
  tags: readonly string[];
}

/** The tags of a template or module. Each tag links to the list of all templates or modules that have it. */
export function TagLinks({ workspaceId, section, tags }: TagLinksProps) {
  if (tags.length === 0) return null;
  return (
    <Group gap={6} mt={4}>
      {tags.map((tag) => (
        <LinkBadge
          key={tag}
          to={`/w/$workspaceId/${section}`}
          params={{ workspaceId }}
          search={{ tags: tag }}
          title={libraryTexts.tags.showAll(tag)}
          variant="default"
          // Small enough for a table, and large enough to tap (WCAG 2.2, target size).
          h={24}
          maw="100%"
          tt="none"
          fw={500}
        >
          {tag}
        </LinkBadge>
      ))}
    </Group>
  );
}

/** An input for several tags that suggests the tags of the workspace. */
export function TagField(props: TagsInputProps) {
  const [hasFocus, setFocus] = useState(false);
  const suggestions = useTagSuggestions({ isEnabled: hasFocus });
  return (
    <TagsInput
      maxTags={MAX_TAGS}
      maxLength={MAX_TAG_LENGTH}
      {...props}
      data={[...suggestions]}
      // Tags are case-sensitive, but Mantine ignores the case by default.
      isDuplicate={(tag, tags) => tags.includes(tag)}
      onFocus={(event) => {
        setFocus(true);
        props.onFocus?.(event);
      }}
    />
  );
}
