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

describe('The webhook form', () => {
  test('sends null for empty fields', () => {
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

  test('converts lines to ids, and rows to headers', () => {
    const headers = [
      { name: 'X-Team ', value: 'a' },
      { name: '', value: '' },
    ];
    expect(
      toRequest({ ...values, resourceIds: ' a\n\nb,c ', headers, rateLimit: 5 }),
    ).toMatchObject({ resourceIds: ['a', 'b', 'c'], headers: { 'X-Team': 'a' }, rateLimit: 5 });
  });

  test('finds a duplicate header name', () => {
    const row = { name: 'X-Team', value: 'a' };
    expect(findRepeatedHeader([row, { name: 'x-team', value: 'b' }])).toBe('x-team');
    expect(findRepeatedHeader([row, { name: '', value: '' }, { name: '', value: '' }])).toBe(
      undefined,
    );
  });

  test('stores no header values in a draft', () => {
    const headers = [{ name: 'Authorization', value: 'secret' }];
    expect(withoutHeaderValues({ ...values, headers }).headers).toEqual([
      { name: 'Authorization', value: '' },
    ]);
  });

  test('keeps the user’s edits if somebody else has changed the webhook', () => {
    const edited = { ...values, description: 'mine' };
    const current: WebhookValues = { ...values, description: 'theirs', rateLimit: 7 };
    expect(rebase(edited, values, current)).toEqual({
      ...values,
      description: 'mine',
      rateLimit: 7,
    });
  });
});
