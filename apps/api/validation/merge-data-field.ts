import { fieldRule } from './fields.js';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data of a recipient: an object. */
export const IsMergeData = (description: string) =>
  fieldRule('isMergeData', (value) => (isObject(value) ? undefined : 'must be an object'), {
    type: 'object',
    additionalProperties: true,
    description,
  });
