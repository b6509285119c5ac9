import { useParams } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkTab, LinkTabs } from '../../controls/page.js';
import { texts } from '../../texts/index.js';
import { useDocumentId, useKind } from '../kinds/kind-context.js';

const { tabs } = texts.library;

export function DocumentTabs() {
  const { name, section } = useKind();
  const params = { workspaceId: useWorkspaceId(), documentId: useDocumentId() };
  const isEarlierVersion = useParams({ strict: false }).version !== undefined;
  const options = { exact: true, includeSearch: false };
  return (
    <LinkTabs label={tabs.label(texts.library.kinds[name])}>
      <LinkTab
        to={`/w/$workspaceId/${section}/$documentId`}
        params={params}
        activeOptions={options}
        {...(isEarlierVersion && { 'aria-current': true })}
      >
        {tabs.document}
      </LinkTab>
      {name === 'template' && (
        <LinkTab
          to="/w/$workspaceId/templates/$documentId/preview"
          params={params}
          activeOptions={options}
        >
          {tabs.preview}
        </LinkTab>
      )}
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
