import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { workspaceRoute } from '../layout/routes.js';
import {
  parseDocumentSearch,
  parseModuleCompareSearch,
  parseModuleSearch,
  parsePreviewSearch,
  parseQuerySearch,
  parseTemplateCompareSearch,
  parseTemplateSearch,
  parseTranslationsSearch,
} from './library-search.js';

const templatesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'templates',
  validateSearch: parseTemplateSearch,
  component: lazyRouteComponent(() => import('./lists/template-list.js'), 'TemplateList'),
});

// The router prefers this path to the id of a template.
const importRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'templates/import',
  component: lazyRouteComponent(() => import('./import/import-view.js'), 'ImportView'),
});

const modulesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'modules',
  validateSearch: parseModuleSearch,
  component: lazyRouteComponent(() => import('./lists/module-list.js'), 'ModuleList'),
});

// Templates and modules share these views, but their routes are written twice. The types of the router do not
// allow one function to create both.
const views = {
  // Keeps the list of versions on the page while the user switches between versions.
  versions: lazyRouteComponent(() => import('./versions/versions-layout.js'), 'VersionsLayout'),
  latest: lazyRouteComponent(() => import('./versions/latest-version.js'), 'LatestVersion'),
  version: lazyRouteComponent(() => import('./versions/earlier-version.js'), 'EarlierVersion'),
  compare: lazyRouteComponent(() => import('./compare/compare-view.js'), 'CompareView'),
  preview: lazyRouteComponent(() => import('./preview/preview-view.js'), 'PreviewView'),
  translations: lazyRouteComponent(
    () => import('./translations/translations-view.js'),
    'TranslationsView',
  ),
};

const templateRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'templates/$documentId',
  component: lazyRouteComponent(() => import('./page/document-layout.js'), 'TemplateLayout'),
});

const templateVersionsRoute = createRoute({
  getParentRoute: () => templateRoute,
  id: 'versions',
  validateSearch: parseDocumentSearch,
  component: views.versions,
});

const templateLatestRoute = createRoute({
  getParentRoute: () => templateVersionsRoute,
  path: '/',
  component: views.latest,
});

const templateVersionRoute = createRoute({
  getParentRoute: () => templateVersionsRoute,
  path: 'versions/$version',
  component: views.version,
});

const templateCompareRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: 'compare',
  validateSearch: parseTemplateCompareSearch,
  component: views.compare,
});

const templatePreviewRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: 'preview',
  validateSearch: parsePreviewSearch,
  component: views.preview,
});

const templateTranslationsRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: 'translations',
  validateSearch: parseTranslationsSearch,
  component: views.translations,
});

const publishingRoute = createRoute({
  getParentRoute: () => templateRoute,
  path: 'publishing',
  component: lazyRouteComponent(() => import('./publishing/publishing-view.js'), 'PublishingView'),
});

const moduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'modules/$documentId',
  component: lazyRouteComponent(() => import('./page/document-layout.js'), 'ModuleLayout'),
});

const moduleVersionsRoute = createRoute({
  getParentRoute: () => moduleRoute,
  id: 'versions',
  validateSearch: parseDocumentSearch,
  component: views.versions,
});

const moduleLatestRoute = createRoute({
  getParentRoute: () => moduleVersionsRoute,
  path: '/',
  component: views.latest,
});

const moduleVersionRoute = createRoute({
  getParentRoute: () => moduleVersionsRoute,
  path: 'versions/$version',
  component: views.version,
});

const moduleCompareRoute = createRoute({
  getParentRoute: () => moduleRoute,
  path: 'compare',
  validateSearch: parseModuleCompareSearch,
  component: views.compare,
});

const modulePreviewRoute = createRoute({
  getParentRoute: () => moduleRoute,
  path: 'preview',
  validateSearch: parsePreviewSearch,
  component: views.preview,
});

const moduleTranslationsRoute = createRoute({
  getParentRoute: () => moduleRoute,
  path: 'translations',
  validateSearch: parseTranslationsSearch,
  component: views.translations,
});

const usagesRoute = createRoute({
  getParentRoute: () => moduleRoute,
  path: 'usages',
  component: lazyRouteComponent(() => import('./usages/usages-view.js'), 'UsagesView'),
});

const searchRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'search',
  validateSearch: parseQuerySearch,
  component: lazyRouteComponent(() => import('./search/search-view.js'), 'SearchView'),
});

const tagsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'tags',
  component: lazyRouteComponent(() => import('./tags/tag-list.js'), 'TagList'),
});

const trashRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'trash',
  component: lazyRouteComponent(() => import('./trash/trash-list.js'), 'TrashList'),
});

export const libraryRoutes = [
  templatesRoute,
  importRoute,
  templateRoute.addChildren([
    templateVersionsRoute.addChildren([templateLatestRoute, templateVersionRoute]),
    templateCompareRoute,
    templatePreviewRoute,
    templateTranslationsRoute,
    publishingRoute,
  ]),
  modulesRoute,
  moduleRoute.addChildren([
    moduleVersionsRoute.addChildren([moduleLatestRoute, moduleVersionRoute]),
    moduleCompareRoute,
    modulePreviewRoute,
    moduleTranslationsRoute,
    usagesRoute,
  ]),
  searchRoute,
  tagsRoute,
  trashRoute,
] as const;
