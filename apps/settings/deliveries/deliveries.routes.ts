import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { webhookRoute } from '../webhooks/webhooks.routes.js';
import { parseDeliverySearch } from './list/delivery-search.js';

const listRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'deliveries',
  validateSearch: parseDeliverySearch,
  component: lazyRouteComponent(() => import('./list/delivery-list.js'), 'DeliveryList'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'deliveries/$deliveryId',
  // The number of the selected attempt. By default, the page shows the last attempt.
  validateSearch: ({ attempt }): { attempt?: number } =>
    typeof attempt === 'number' ? { attempt } : {},
  component: lazyRouteComponent(() => import('./details/delivery-view.js'), 'DeliveryView'),
});

const replaysRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'replays',
  component: lazyRouteComponent(() => import('./replays/replay-view.js'), 'ReplayView'),
});

/** Child routes of `webhookRoute`. */
export const deliveryRoutes = [listRoute, deliveryRoute, replaysRoute] as const;
