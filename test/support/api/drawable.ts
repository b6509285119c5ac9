/** Documents that Galley can render. */

export const text = (content: string | number) => ({ type: 'text', props: { content } });

export const documentOf = (...blocks: object[]) => ({ stripes: [{ containers: [{ blocks }] }] });
