import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { NotFound } from '../controls/states.js';
import { WorkspaceLayout } from './workspace-layout.js';

/*
 * The frame of all views. Each folder adds its own routes below `workspaceRoute`, and router.ts puts the tree together.
 */
export const rootRoute = createRootRoute({ notFoundComponent: NotFound });

/** Opens the reader's only workspace, or lets the reader choose. With `all`, the reader always chooses. */
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
