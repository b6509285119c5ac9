/** The response to the example request about imports, by `operationId`. */
export const importExamples: Record<string, object> = {
  importDocument: {
    document: {
      styles: {
        fontFamily: 'Arial, sans-serif',
        fontSize: 13,
        lineHeight: 1,
        textColor: '#000000',
        stripe: { padding: '20px 0' },
        text: { padding: '10px 25px' },
      },
      stripes: [
        {
          type: 'stripe',
          containers: [
            {
              type: 'container',
              blocks: [
                { type: 'text', props: { content: 'Hello' } },
                { type: 'html', props: { padding: '0', content: '<b>Raw</b>' } },
              ],
            },
          ],
        },
      ],
    },
    report: {
      understood: { container: 1, html: 1, stripe: 1, text: 1 },
      entries: [
        {
          outcome: 'kept-as-html',
          source: 'mjml/mj-body[1]/mj-section[1]/mj-column[1]/mj-raw[1]',
          path: '/stripes/0/containers/0/blocks/1',
          message: 'Galley keeps HTML as it is.',
        },
      ],
      omitted: 0,
    },
  },
};
