import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../layout/routes.js';

/** The page of one webhook: its title, status and tabs. Each tab is a child route. */
export const webhookRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./layout/webhook-layout.js'), 'WebhookLayout'),
});
