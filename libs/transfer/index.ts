/*
 * Exports a workspace as lines of JSON, and imports such an export as a new workspace (docs/run/data-care.md).
 * `libs/documents` reads and stores the documents; `apps/maintenance` reads and writes the files.
 */
export { WorkspaceExport } from './workspace-export.js';
export { WorkspaceImport } from './workspace-import.js';
export { ExportDigest, type ExportLine } from './export-digest.js';
