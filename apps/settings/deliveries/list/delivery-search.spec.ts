import { describe, expect, it } from '@jest/globals';
import { parseDeliverySearch, toFilter } from './delivery-search.js';

describe('parseDeliverySearch', () => {
  it('keeps valid filters', () => {
    const search = {
      status: 'failed',
      event: 'template.created',
      resourceId: '01936f60-0b7e-7a66-a1d4-93c8f0e27b15',
      period: 'custom',
      since: '2026-11-20T08:00:00.000Z',
      until: '2026-11-20T09:00:00.000Z',
    };
    expect(parseDeliverySearch(search)).toEqual(search);
  });

  it('drops unknown filters and invalid values', () => {
    const search = {
      status: 'lost',
      event: 'template.eaten',
      resourceId: '',
      period: '2y',
      page: 3,
    };
    expect(parseDeliverySearch(search)).toEqual({});
  });

  it('drops invalid times, and drops all times if the period is fixed', () => {
    expect(parseDeliverySearch({ period: 'custom', since: 'yesterday' })).toEqual({
      period: 'custom',
    });
    expect(parseDeliverySearch({ period: '1h', since: '2026-11-20T08:00:00.000Z' })).toEqual({
      period: '1h',
    });
  });
});

describe('toFilter', () => {
  it('converts a period to its start time', () => {
    const now = Date.parse('2026-11-20T08:00:00.000Z');
    expect(toFilter({ status: 'failed', period: '1h' }, now)).toEqual({
      status: 'failed',
      since: '2026-11-20T07:00:00.000Z',
    });
  });

  it('keeps a custom range unchanged', () => {
    const range = { since: '2026-11-20T08:00:00.000Z', until: '2026-11-20T09:00:00.000Z' };
    expect(toFilter({ period: 'custom', ...range }, Date.now())).toEqual(range);
  });
});
