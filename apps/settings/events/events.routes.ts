import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../layout/routes.js';

const feedRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'events',
  component: lazyRouteComponent(() => import('./event-list.js'), 'EventList'),
});

const eventRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'events/$position',
  component: lazyRouteComponent(() => import('./event-view.js'), 'EventView'),
});

export const eventRoutes = [feedRoute, eventRoute] as const;
