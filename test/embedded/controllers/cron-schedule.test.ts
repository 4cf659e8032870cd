import { describe, expect, it } from '@jest/globals';
import { parseSchedule } from '../../../src/embedded/controllers/cron-schedule.js';

const next = (text: string, after: string, zone?: string) => {
  const moment = parseSchedule(text, zone)?.next(Date.parse(after));
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

describe('a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-02T03:04:05Z', '2026-01-02T03:05:00.000Z'],
    ['*/15 * * * *', '2026-01-02T03:45:00Z', '2026-01-02T04:00:00.000Z'],
    ['5/20 1-3,23 * * *', '2026-01-02T03:45:00Z', '2026-01-02T23:05:00.000Z'],
    ['0 0 29 2 *', '2026-01-02T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 12 13 * FRI', '2026-01-02T00:00:00Z', '2026-01-02T12:00:00.000Z'],
    ['0 12 13 * *', '2026-01-02T00:00:00Z', '2026-01-13T12:00:00.000Z'],
    ['0 12 ? jan-mar mon-fri', '2026-01-02T13:00:00Z', '2026-01-05T12:00:00.000Z'],
    ['@hourly', '2026-01-02T03:04:05Z', '2026-01-02T04:00:00.000Z'],
    ['@monthly', '2026-01-02T03:04:05Z', '2026-02-01T00:00:00.000Z'],
    ['@every 1h30m', '2026-01-02T03:04:05Z', '2026-01-02T04:34:05.000Z'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2026-01-02T03:04:05Z', '2026-01-03T00:00:00.000Z'],
  ])('%s is next due after %s at %s', (text, after, expected) => {
    expect(next(text, after)).toBe(expected);
  });

  it.each([
    ['2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z', 'is left out where the clocks go forward over it'],
    ['2026-01-02T00:00:00Z', '2026-01-02T01:30:00.000Z', 'is that of the zone'],
  ])('after %s in Berlin, 02:30 at %s: %s', (after, expected) => {
    expect(next('30 2 * * *', after, 'Europe/Berlin')).toBe(expected);
  });

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-1 * * * *',
    '*/0 * * * *',
    'a * * * *',
    '@often',
    '@every soon',
  ])('is none: %j', (text) => {
    expect(parseSchedule(text)).toBeUndefined();
  });

  it('in a time zone that there is not is none', () => {
    expect(parseSchedule('* * * * *', 'Atlantis/Capital')).toBeUndefined();
  });

  it('may never be due', () => {
    expect(next('0 0 30 2 *', '2026-01-02T00:00:00Z')).toBeUndefined();
  });
});
