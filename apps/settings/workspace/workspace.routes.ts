import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../layout/routes.js';
import { parseAuditSearch } from './audit-log/audit-search.js';

const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'members',
  component: lazyRouteComponent(() => import('./members/member-list.js'), 'MemberList'),
});

const environmentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'environments',
  component: lazyRouteComponent(
    () => import('./environments/environment-list.js'),
    'EnvironmentList',
  ),
});

const checksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'checks',
  component: lazyRouteComponent(() => import('./checks/check-settings.js'), 'CheckSettings'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'api-keys',
  component: lazyRouteComponent(() => import('./api-keys/api-key-list.js'), 'ApiKeyList'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'audit-log',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./audit-log/audit-log.js'), 'AuditLog'),
});

const generalRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'workspace',
  component: lazyRouteComponent(
    () => import('./general/workspace-settings.js'),
    'WorkspaceSettings',
  ),
});

export const workspaceRoutes = [
  membersRoute,
  environmentsRoute,
  checksRoute,
  apiKeysRoute,
  auditLogRoute,
  generalRoute,
] as const;
