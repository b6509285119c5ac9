import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkTab, LinkTabs } from '../../controls/page.js';
import { texts } from '../../texts/index.js';
import { useWebhookId } from '../webhook-queries.js';

const { tabs } = texts.webhooks;
const TABS = [
  { to: '/w/$workspaceId/webhooks/$webhookId', label: tabs.overview, exact: true },
  { to: '/w/$workspaceId/webhooks/$webhookId/deliveries', label: tabs.deliveries, exact: false },
  { to: '/w/$workspaceId/webhooks/$webhookId/replays', label: tabs.replays, exact: false },
  { to: '/w/$workspaceId/webhooks/$webhookId/settings', label: tabs.settings, exact: false },
] as const;

export function WebhookTabs() {
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  return (
    <LinkTabs label={tabs.label}>
      {TABS.map(({ to, label, exact }) => (
        <LinkTab key={to} to={to} params={params} activeOptions={{ exact, includeSearch: false }}>
          {label}
        </LinkTab>
      ))}
    </LinkTabs>
  );
}
