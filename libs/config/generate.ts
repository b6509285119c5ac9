import { writeGeneratedFiles } from './generated-files.js';

await writeGeneratedFiles();
