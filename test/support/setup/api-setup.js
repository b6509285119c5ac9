export { startSharedGalley as default } from './shared-programs.js';
