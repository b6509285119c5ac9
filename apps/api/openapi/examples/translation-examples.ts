import { exampleIds as ids, requestExamples as requests } from './request-examples.js';
import { timeAt } from './values.js';

type Text = Record<'id' | 'source' | 'text', string>;
const textsOf = (operation: string): Text[] => (requests[operation] as { texts: Text[] }).texts;

const readAs = (texts: Text[]) => ({
  version: 4,
  sourceLanguage: null,
  language: 'pt',
  texts: texts.map((text) => ({ ...text, isOutdated: false })),
});
const progress = {
  version: 4,
  sourceLanguage: null,
  languages: [{ language: 'pt', texts: 1, translated: 1, outdated: 0 }],
};

interface Block {
  translations?: object;
}
interface Container {
  blocks: Block[];
}

/** Adds the translation of the only block. */
function translated({ containers }: { containers: Container[] }, [text]: Text[]) {
  const translations = { pt: { content: { text: text?.text, source: text?.source } } };
  return {
    type: 'stripe',
    containers: containers.map(({ blocks, ...container }) => ({
      ...container,
      blocks: blocks.map((block) => ({ ...block, translations })),
    })),
  };
}

const templateTexts = textsOf('storeTemplateTranslations');
const moduleTexts = textsOf('storeModuleTranslations');
const template = requests['createTemplate'] as {
  content: { stripes: { containers: Container[] }[] };
};
const module = requests['createModule'] as { content: { containers: Container[] } };
const written = (minute: string) => ({
  version: 4,
  createdBy: ids.user,
  updatedAt: timeAt(minute),
  updatedBy: ids.user,
});

/** The responses to the example requests about translations, by `operationId`. */
export const translationExamples: Record<string, object> = {
  storeTemplateTranslations: {
    id: ids.template,
    ...template,
    ...written('48'),
    createdAt: timeAt('32'),
    tags: ['welcome'],
    content: {
      ...template.content,
      stripes: template.content.stripes.map((stripe) => translated(stripe, templateTexts)),
    },
  },
  listTemplateTranslations: progress,
  getTemplateTranslations: readAs(templateTexts),
  storeModuleTranslations: {
    id: ids.module,
    ...module,
    ...written('49'),
    createdAt: timeAt('34'),
    tags: [],
    content: translated(module.content, moduleTexts),
  },
  listModuleTranslations: progress,
  getModuleTranslations: readAs(moduleTexts),
};
