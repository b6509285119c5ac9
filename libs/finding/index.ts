/*
 * How people find templates and modules: the search, and the tags of a workspace.
 * The filters of lists, the index of the search, and the tags of a single document are in `libs/documents`.
 */
export { FindingModule } from './finding.module.js';
export { Search } from './search.js';
export { Tags } from './tags.js';
