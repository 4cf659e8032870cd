import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { comingsAndGoings, readAudit, readsOf, writesOf } from './audit.js';

const event = (auditID: string, verb: string, second: number, more: object = {}) =>
  JSON.stringify({
    auditID,
    verb,
    requestURI: '/api/v1/namespaces/default/pods',
    user: { username: 'ada' },
    requestReceivedTimestamp: `2030-01-01T00:00:0${second}.000000Z`,
    ...more,
  });

describe('the audit log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const logOf = (text: string) => {
    const file = join(folder, 'audit.log');
    writeFileSync(file, text);
    return readAudit(file);
  };

  it('has each request once, in the order of arrival, without the line that is being written', async () => {
    const lines = [
      event('watch', 'watch', 2, { stage: 'ResponseStarted' }),
      event('write', 'create', 1, { responseStatus: { code: 201 } }),
      event('watch', 'watch', 2, { stage: 'ResponseComplete' }),
      event('late', 'list', 3).slice(0, 20),
    ];
    const events = await logOf(lines.join('\n'));
    expect(events.map(({ auditID }) => auditID)).toEqual(['write', 'watch']);
  });

  it('tells writes, reads and watches of a user apart, from a moment on', async () => {
    const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
    const events = await logOf(verbs.map((verb, second) => `${event(verb, verb, second)}\n`).join(''));
    expect(readsOf(events, 'ada').map(({ verb }) => verb)).toEqual(['get', 'list']);
    expect(writesOf(events, 'ada').map(({ verb }) => verb)).toEqual(verbs.slice(3));
    const since = Date.parse('2030-01-01T00:00:06Z');
    expect(writesOf(events, 'ada', since).map(({ verb }) => verb)).toEqual(['delete', 'deletecollection']);
    expect(writesOf(events, 'eve')).toEqual([]);
  });

  it('tells what came and went, also by an apply, and not what was refused', async () => {
    const about = (resource: string, name: string, code: number) => ({
      objectRef: { resource, name },
      responseStatus: { code },
    });
    const events = await logOf(
      [
        event('1', 'create', 1, about('services', 'a', 201)),
        event('2', 'create', 2, about('services', 'a', 409)),
        event('3', 'patch', 3, about('services', 'b', 201)),
        event('4', 'patch', 4, about('services', 'b', 200)),
        event('5', 'delete', 5, about('services', 'a', 200)),
        event('6', 'delete', 6, about('services', 'a', 404)),
        event('7', 'create', 7, about('events', 'a', 201)),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect(comingsAndGoings(events)).toEqual(['create services/a', 'create services/b', 'delete services/a']);
  });
});
