import { createRouter } from '@tanstack/react-router';
import { deliveryRoutes } from './deliveries/deliveries.routes.js';
import { eventRoutes } from './events/events.routes.js';
import { rootRoute, startRoute, workspaceRoute } from './layout/routes.js';
import { libraryRoutes } from './library/library.routes.js';
import { webhookRoute, webhookRoutes, webhookTabRoutes } from './webhooks/webhooks.routes.js';
import { workspaceRoutes } from './workspace/workspace.routes.js';

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    workspaceRoute.addChildren([
      ...webhookRoutes,
      webhookRoute.addChildren([...webhookTabRoutes, ...deliveryRoutes]),
      ...eventRoutes,
      ...libraryRoutes,
      ...workspaceRoutes,
    ]),
  ]),
  basepath: import.meta.env.BASE_URL,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
