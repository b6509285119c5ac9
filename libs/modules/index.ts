/*
 * Modules, the reusable parts of templates: stored by workspace, one by one or in batches, each change with
 * its event. `libs/workspaces` decides on access; `libs/database` has transactions and lists.
 */
export { MODULE, type ModuleFields } from './module-type.js';
export { Modules, type Module } from './modules.js';
export { ModulesModule } from './modules.module.js';
