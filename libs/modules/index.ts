/*
 * Modules, the reusable parts of templates: stored by workspace, one by one or in batches, each change with
 * its event. Access is decided by `libs/workspaces`, transactions and lists by `libs/database`.
 */
export { Modules, type Module } from './modules.js';
export { ModulesModule } from './modules.module.js';
