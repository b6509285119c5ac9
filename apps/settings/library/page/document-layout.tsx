import { Badge } from '@mantine/core';
import { Navigate, Outlet } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { PageSkeleton, QueryState } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { DeleteDocument } from '../actions/delete-document.js';
import { DuplicateDocument } from '../actions/duplicate-document.js';
import { KindProvider, useKind } from '../kinds/kind-context.js';
import { modules } from '../kinds/modules.js';
import { templates } from '../kinds/templates.js';
import { useDocument, type ReadDocument } from '../kinds/use-document.js';
import { DocumentTabs } from './document-tabs.js';
import { useDocumentTitle } from './use-document-title.js';

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

/** The frame of the views of one template or module: its name, its actions, and its tabs. */
function DocumentLayout() {
  const read = useDocument();
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  return (
    <QueryState query={read} skeleton={<PageSkeleton />}>
      {(current) => {
        const { id, workspaceId: ownWorkspaceId } = current.document;
        // A reference does not say in which workspace its module is.
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
          {texts.library.latestVersion(version)}
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
