import { describe, expect, test } from '@jest/globals';
import {
  findRepeatedHeader,
  NEW_WEBHOOK,
  rebase,
  toRequest,
  withoutHeaderValues,
  type WebhookValues,
} from './webhook-values.js';

const values: WebhookValues = {
  ...NEW_WEBHOOK,
  url: ' https://hooks.example.com ',
  events: ['template.*'],
};

describe('The form of a webhook', () => {
  test('sends null for what is empty', () => {
    expect(toRequest(values)).toEqual({
      url: 'https://hooks.example.com',
      events: ['template.*'],
      description: '',
      resourceIds: null,
      headers: {},
      rateLimit: null,
      ordered: false,
    });
  });

  test('sends ids from lines, and headers from rows', () => {
    const headers = [
      { name: 'X-Team ', value: 'a' },
      { name: '', value: '' },
    ];
    expect(
      toRequest({ ...values, resourceIds: ' a\n\nb,c ', headers, rateLimit: 5 }),
    ).toMatchObject({ resourceIds: ['a', 'b', 'c'], headers: { 'X-Team': 'a' }, rateLimit: 5 });
  });

  test('finds a header that is named twice', () => {
    const row = { name: 'X-Team', value: 'a' };
    expect(findRepeatedHeader([row, { name: 'x-team', value: 'b' }])).toBe('x-team');
    expect(findRepeatedHeader([row, { name: '', value: '' }, { name: '', value: '' }])).toBe(
      undefined,
    );
  });

  test('keeps no header values in a draft', () => {
    const headers = [{ name: 'Authorization', value: 'secret' }];
    expect(withoutHeaderValues({ ...values, headers }).headers).toEqual([
      { name: 'Authorization', value: '' },
    ]);
  });

  test('keeps the edits of the reader when somebody else has changed the webhook', () => {
    const edited = { ...values, description: 'mine' };
    const current: WebhookValues = { ...values, description: 'theirs', rateLimit: 7 };
    expect(rebase(edited, values, current)).toEqual({
      ...values,
      description: 'mine',
      rateLimit: 7,
    });
  });
});
