import type { ExpandWarning } from '#client';
import { Alert, List, Stack, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DocumentView } from '../document/document-view.js';
import { hasReference } from '../document/json-rows.js';
import { parseDocumentSearch } from '../library-search.js';
import { words } from './texts.js';

interface ExpandableDocumentProps {
  title: string;
  content: unknown;
  /** The module references that could not be expanded. Empty if the page does not expand references. */
  warnings?: readonly ExpandWarning[];
}

/** Shows a document. If the document uses modules, a switch expands the module references. */
export function ExpandableDocument({ title, content, warnings = [] }: ExpandableDocumentProps) {
  const isExpanded = useIsExpanded();
  const search = parseDocumentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const refersToModules = useMemo(() => hasReference(content), [content]);
  const toggle = () =>
    void navigate({
      to: '.',
      search: parseDocumentSearch({ ...search, expand: isExpanded ? undefined : 'modules' }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Stack gap="md">
      {(refersToModules || isExpanded) && (
        <Switch
          label={words.expand}
          description={words.expandHint}
          checked={isExpanded}
          onChange={toggle}
        />
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title={words.warnings(warnings.length)}>
          <List size="sm">
            {warnings.map(({ path, moduleId, problem }) => (
              <List.Item key={path}>{words.warning(path, moduleId, problem)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <DocumentView title={title} content={content} />
    </Stack>
  );
}

/** Whether the page replaces module references with the documents of the modules. */
export const useIsExpanded = (): boolean => useSearch({ strict: false }).expand === 'modules';
