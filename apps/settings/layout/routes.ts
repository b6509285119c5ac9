import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { NotFound } from '../controls/states.js';
import { WorkspaceLayout } from './workspace-layout.js';

/*
 * The root of the route tree. Each folder adds its own routes below `workspaceRoute`, and router.ts assembles the tree.
 */
export const rootRoute = createRootRoute({ notFoundComponent: NotFound });

/** Opens the user's only workspace, or lets the user choose one. With `all`, the user can always choose. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: ({ all }: { all?: unknown }): { all?: true } => (all === true ? { all } : {}),
  component: lazyRouteComponent(
    () => import('../workspace/start/workspace-choice.js'),
    'WorkspaceChoice',
  ),
});

export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'w/$workspaceId',
  component: WorkspaceLayout,
});
