import { useMatchRoute, useParams, useSearch } from '@tanstack/react-router';
import { texts } from '../../texts/index.js';
import { comparedVersions } from '../compared-versions.js';
import type { LibraryDocument } from '../kinds/kind.js';
import { useKind } from '../kinds/kind-context.js';

/** The text of the browser's tab: the name of the template or module, and which of its views is open. */
export function useDocumentTitle({ name, version: latest }: LibraryDocument): string {
  const { library } = texts;
  const { section } = useKind();
  const { version } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const matches = useMatchRoute();
  if (version !== undefined) return library.versionTitle(name, version);
  if (matches({ to: `/w/$workspaceId/${section}/$documentId/compare` })) {
    const { from, to } = comparedVersions(search, latest);
    return library.compareTitle(name, from, to);
  }
  if (matches({ to: '/w/$workspaceId/templates/$documentId/preview' })) {
    return library.previewTitle(name);
  }
  if (matches({ to: '/w/$workspaceId/templates/$documentId/publishing' })) {
    return library.publishingTitle(name);
  }
  if (matches({ to: '/w/$workspaceId/modules/$documentId/usages' })) {
    return library.usagesTitle(name);
  }
  return name;
}
