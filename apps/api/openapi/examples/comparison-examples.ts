import { exampleIds as ids, requestExamples as requests } from './request-examples.js';

const HEADING_PATH = '/stripes/0/containers/0/blocks/0';
const NO_CHANGES = { added: 0, removed: 0, moved: 0, changed: 0 };
const { name: oldName } = requests['createTemplate'] as { name: string };
const { name: newName } = requests['updateTemplate'] as { name: string };
const { description: oldDescription } = requests['createModule'] as { description: string };
const { description: newDescription } = requests['updateModule'] as { description: string };

/** The responses that compare version 1 with version 2, for a template and for a module. */
export const comparisonExamples = {
  compareTemplateVersions: {
    from: { id: ids.template, version: 1, name: oldName },
    to: { id: ids.template, version: 2, name: newName },
    identical: false,
    identicalText: false,
    counts: { ...NO_CHANGES, changed: 1 },
    changes: [
      {
        type: 'changed',
        path: HEADING_PATH,
        fromPath: HEADING_PATH,
        nodeType: 'heading',
        nodeId: null,
        matchedBy: 'place',
        fields: [
          { name: 'props.content', before: 'Welcome aboard', after: 'Welcome aboard, friends' },
        ],
        sentence:
          'The heading block "Welcome aboard, friends" in stripe 1, container 1 has different content.',
      },
    ],
    isComplete: true,
    breakingChanges: [],
    fields: [{ name: 'name', before: oldName, after: newName }],
  },
  compareModuleVersions: {
    from: { id: ids.module, version: 1, name: 'Footer' },
    to: { id: ids.module, version: 2, name: 'Footer' },
    identical: true,
    identicalText: true,
    counts: NO_CHANGES,
    changes: [],
    isComplete: true,
    breakingChanges: [],
    fields: [{ name: 'description', before: oldDescription, after: newDescription }],
  },
};

/** The JSON Patches of the same operations. */
export const alternativeExamples: Record<string, object> = {
  compareTemplateVersions: [
    { op: 'replace', path: `${HEADING_PATH}/props/content`, value: 'Welcome aboard, friends' },
  ],
  compareModuleVersions: [],
};
