import { describe, expect, it } from '@jest/globals';
import { toStartReplay, validateReplayForm, type ReplayFormValues } from './replay-form-values.js';

const values: ReplayFormValues = {
  since: '2026-11-20T08:00',
  until: '',
  events: [],
  status: ['failed'],
  resourceId: '',
};

describe('validateReplayForm', () => {
  it('accepts complete values', () => {
    expect(validateReplayForm(values)).toEqual({});
    expect(validateReplayForm({ ...values, until: '2026-11-20T08:01' })).toEqual({});
  });

  it('returns an error for each invalid field', () => {
    const invalid = { since: '', until: '', status: [], resourceId: 'welcome' };
    const errors = validateReplayForm({ ...values, ...invalid });
    expect(Object.keys(errors)).toEqual(['since', 'status', 'resourceId']);
    expect(validateReplayForm({ ...values, until: values.since })).toHaveProperty('until');
  });
});

describe('toStartReplay', () => {
  it('omits empty fields', () => {
    const since = new Date('2026-11-20T08:00').toISOString();
    expect(toStartReplay(values)).toEqual({ since, status: ['failed'] });
  });

  it('sends all fields that have a value', () => {
    const resourceId = '01936f60-0b7e-7a66-a1d4-93c8f0e27b15';
    const request = toStartReplay({
      ...values,
      until: '2026-11-20T11:00',
      events: ['template.updated'],
      resourceId: ` ${resourceId} `,
    });
    const until = new Date('2026-11-20T11:00').toISOString();
    expect(request).toMatchObject({ until, events: ['template.updated'], resourceId });
  });
});
