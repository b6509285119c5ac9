import { writeGeneratedPage } from './generated-page.js';

await writeGeneratedPage();
