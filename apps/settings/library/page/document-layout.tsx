import { Badge } from '@mantine/core';
import { Navigate, Outlet, useMatchRoute, useParams, useSearch } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { LinkTab, LinkTabs, Page } from '../../controls/page.js';
import { PageSkeleton, QueryState } from '../../controls/states.js';
import { texts } from '../../texts.js';
import {
  KindProvider,
  modules,
  templates,
  useDocumentId,
  useKind,
  type LibraryDocument,
} from '../kinds.js';
import { comparedVersions } from '../library-search.js';
import { libraryTexts } from '../texts.js';
import { useDocument, type ReadDocument } from '../use-document.js';
import { DeleteDocument } from './delete-document.js';
import { DuplicateDocument } from './duplicate-document.js';
import { words } from './texts.js';

export const TemplateLayout = () => (
  <KindProvider value={templates}>
    <DocumentLayout />
  </KindProvider>
);

export const ModuleLayout = () => (
  <KindProvider value={modules}>
    <DocumentLayout />
  </KindProvider>
);

/** The layout of the views of one template or module: its name, actions and tabs. */
function DocumentLayout() {
  const read = useDocument();
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  return (
    <QueryState query={read} skeleton={<PageSkeleton />}>
      {(current) => {
        const { id, workspaceId: ownWorkspaceId } = current.document;
        // A module reference has no workspace id, so the link to a module may contain the wrong workspace.
        return ownWorkspaceId === workspaceId ? (
          <LoadedDocument key={id} read={current} />
        ) : (
          <Navigate
            to={`/w/$workspaceId/${section}/$documentId`}
            params={{ workspaceId: ownWorkspaceId, documentId: id }}
            replace
          />
        );
      }}
    </QueryState>
  );
}

function LoadedDocument({ read }: { read: ReadDocument }) {
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  const { name, version } = read.document;
  return (
    <Page
      title={name}
      documentTitle={useDocumentTitle(read.document)}
      breadcrumbs={
        <LinkAnchor to={`/w/$workspaceId/${section}`} params={{ workspaceId }} size="sm">
          {texts.common.backTo(texts.navigation[section])}
        </LinkAnchor>
      }
      status={
        <Badge variant="default" tt="none" fw={500}>
          {words.latestVersion(version)}
        </Badge>
      }
      actions={
        <>
          <DuplicateDocument name={name} />
          <DeleteDocument read={read} />
        </>
      }
    >
      <DocumentTabs />
      <Outlet />
    </Page>
  );
}

const { tabs } = words;

function DocumentTabs() {
  const { name, section } = useKind();
  const params = { workspaceId: useWorkspaceId(), documentId: useDocumentId() };
  const isEarlierVersion = useParams({ strict: false }).version !== undefined;
  const options = { exact: true, includeSearch: false };
  return (
    <LinkTabs label={tabs.label(libraryTexts.kinds[name])}>
      <LinkTab
        to={`/w/$workspaceId/${section}/$documentId`}
        params={params}
        activeOptions={options}
        {...(isEarlierVersion && { 'aria-current': true })}
      >
        {tabs.document}
      </LinkTab>
      <LinkTab
        to={`/w/$workspaceId/${section}/$documentId/preview`}
        params={params}
        activeOptions={options}
      >
        {tabs.preview}
      </LinkTab>
      <LinkTab
        to={`/w/$workspaceId/${section}/$documentId/translations`}
        params={params}
        activeOptions={options}
      >
        {tabs.translations}
      </LinkTab>
      <LinkTab
        to={`/w/$workspaceId/${section}/$documentId/compare`}
        params={params}
        activeOptions={options}
      >
        {tabs.compare}
      </LinkTab>
      {name === 'template' && (
        <LinkTab
          to="/w/$workspaceId/templates/$documentId/publishing"
          params={params}
          activeOptions={options}
        >
          {tabs.publishing}
        </LinkTab>
      )}
      {name === 'module' && (
        <LinkTab
          to="/w/$workspaceId/modules/$documentId/usages"
          params={params}
          activeOptions={options}
        >
          {tabs.usages}
        </LinkTab>
      )}
    </LinkTabs>
  );
}

/** The title of the browser tab: the name of the template or module, and the open view. */
function useDocumentTitle({ name, version: latest }: LibraryDocument): string {
  const { section } = useKind();
  const { version } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const matches = useMatchRoute();
  if (version !== undefined) return words.versionTitle(name, version);
  if (matches({ to: `/w/$workspaceId/${section}/$documentId/compare` })) {
    const { from, to } = comparedVersions(search, latest);
    return words.compareTitle(name, from, to);
  }
  if (matches({ to: `/w/$workspaceId/${section}/$documentId/preview` })) {
    return words.previewTitle(name);
  }
  if (matches({ to: `/w/$workspaceId/${section}/$documentId/translations` })) {
    return words.translationsTitle(name);
  }
  if (matches({ to: '/w/$workspaceId/templates/$documentId/publishing' })) {
    return words.publishingTitle(name);
  }
  if (matches({ to: '/w/$workspaceId/modules/$documentId/usages' })) {
    return words.usagesTitle(name);
  }
  return name;
}
