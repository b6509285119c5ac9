import { isObject } from '../../document/index.js';
import { isDeclared, namesIn, problemsOf } from '../../variables/index.js';
import { defineRules } from '../rule.js';

// Readers would overlook the first names in a longer list.
const MAX_NAMED = 5;

/** The rules about `variables`, with which a document declares the data that it needs. */
export const variableRules = defineRules([
  {
    name: 'variables-invalid',
    severity: 'error',
    help: 'Correct `variables`: it must be a JSON Schema for an object. Until then, Galley ignores it, and refuses to render in strict mode.',
    *find({ document, declaration: { problem } }) {
      if (problem !== undefined) yield { place: document, message: problem.join(' ') };
    },
  },
  {
    name: 'variables-breaking',
    severity: 'warning',
    help: 'Give new variables a default, or change the programs that render the template before you publish the version. Only publishing compares the version with the published one.',
    *find({ document, breaking }) {
      for (const { path, message } of breaking) {
        yield { place: document, message: `${path} ${message}.` };
      }
    },
  },
  {
    name: 'variable-undeclared',
    severity: 'warning',
    help: 'Add these variables to `variables`, or correct the names in the merge tags, conditions and repetitions.',
    *find({ document, declaration: { schema }, used }) {
      if (schema === undefined) return;
      const names = [...used].filter((name) => !isDeclared(schema, name));
      if (names.length > 0) {
        const message = `\`variables\` does not declare ${listOf(names)}.`;
        yield { place: document, message };
      }
    },
  },
  {
    name: 'variable-unused',
    severity: 'info',
    help: 'Remove these variables from `variables`, so that callers need not send them, or use them in the email.',
    *find({ document, declaration: { schema }, used }) {
      if (schema === undefined) return;
      const roots = new Set([...used].map((name) => name.replace(/[.[][^]*$/, '')));
      const names = namesIn(schema).filter((name) => !roots.has(name));
      if (names.length > 0) {
        yield { place: document, message: `The email does not use ${listOf(names)}.` };
      }
    },
  },
  {
    name: 'sample-data-invalid',
    severity: 'warning',
    help: 'Correct `sampleData`, so that previews show the email as a reader gets it.',
    *find({ document, declaration: { schema } }) {
      const { sampleData } = document.node;
      if (schema === undefined || !isObject(sampleData)) return;
      const [problem] = problemsOf(schema, sampleData);
      if (problem !== undefined) {
        const path = problem.path.replace(/^data/, 'sampleData');
        yield {
          place: document,
          message: `The sample data does not fit \`variables\`: ${path} ${problem.message}.`,
        };
      }
    },
  },
]);

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMED).join(', ');
  const rest = names.length - MAX_NAMED;
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}
