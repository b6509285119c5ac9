export { ModuleBatches } from './module-batches.js';
export { Modules, type Module } from './modules.js';
export { ModulesModule } from './modules.module.js';
