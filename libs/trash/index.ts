/*
 * The trash of workspaces: deleted templates and modules, which can be restored or deleted for good.
 * `libs/documents` moves them to the trash, and deletes the versions of those that are gone for good.
 */
export { Trash } from './trash.js';
export { TrashModule } from './trash.module.js';
