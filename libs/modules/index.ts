export { Modules } from './modules.js';
export { ModulesModule } from './modules.module.js';
