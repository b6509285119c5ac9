export { stopSharedGalley as default } from './shared-programs.js';
