import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { workspaceRoute } from '../layout/routes.js';
import { parseOverviewSearch } from './overview/ranges.js';

/** The page of one webhook: its title, status and tabs. Each tab is a child route. */
export const webhookRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./layout/webhook-layout.js'), 'WebhookLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/w/$workspaceId/webhooks', params, replace: true, throw: true });
  },
});

const listRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./list/webhook-list.js'), 'WebhookList'),
});

const newRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'webhooks/new',
  component: lazyRouteComponent(() => import('./create/webhook-new.js'), 'WebhookNew'),
});

const createdRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'created',
  component: lazyRouteComponent(() => import('./create/webhook-created.js'), 'WebhookCreated'),
});

const overviewRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/',
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(() => import('./overview/webhook-overview.js'), 'WebhookOverview'),
});

const settingsRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings/webhook-settings.js'), 'WebhookSettings'),
});

export const webhookRoutes = [indexRoute, listRoute, newRoute] as const;

/** Child routes of `webhookRoute`. */
export const webhookTabRoutes = [overviewRoute, createdRoute, settingsRoute] as const;
