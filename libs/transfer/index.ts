/*
 * The export of a workspace as lines of JSON, and its import elsewhere (docs/run/data-care.md). `libs/documents`
 * reads and stores the documents; `apps/maintenance` has the files.
 */
export { WorkspaceExport } from './workspace-export.js';
export { WorkspaceImport } from './workspace-import.js';
export { ExportDigest, type ExportLine } from './export-digest.js';
