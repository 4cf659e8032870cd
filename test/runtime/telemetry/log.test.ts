import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../../../src/kube/errors.js';
import { createLog, type LogOptions, silentLog, wordsOfError } from '../../../src/runtime/telemetry/log.js';

function logging(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  return { lines, log: createLog({ level: 'debug', format: 'json', write: (line) => lines.push(line), ...options }) };
}

describe('the log', () => {
  it.each(['debug', 'info', 'warn', 'error'] as const)('writes one object a line, at level %s', (level) => {
    const { log, lines } = logging();
    log[level]('Reconciled', { name: 'cache' });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toEqual({
      level,
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      msg: 'Reconciled',
      name: 'cache',
    });
  });

  it('writes nothing below its level', () => {
    const { log, lines } = logging({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    expect(lines).toHaveLength(1);
  });

  it('puts the data of all its forebears on every line', () => {
    const { log, lines } = logging();
    log.child({ controller: 'cache' }).child({ reconcileID: '7' }).info('Reconciled', { name: 'a' });
    expect(JSON.parse(lines[0] as string)).toMatchObject({ controller: 'cache', reconcileID: '7', name: 'a' });
  });

  it.each(['error', 'err', 'cause'])('shows an error that is handed over as data.%s', (key) => {
    const { log, lines } = logging();
    log.error('Failed', { [key]: new TypeError('no such thing') });
    expect(lines[0]).toContain('no such thing');
    expect(lines[0]).toContain('log.test.ts');
  });

  it.each(['json', 'text'] as const)('keeps %s a line a line, whatever is in the data', (format) => {
    const { log, lines } = logging({ format });
    log.info('Reconciled', { note: 'one\n2026-01-01 ERROR two\r\u2028', 'key\nbroken': 'x' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r]/);
  });

  it.each(['json', 'text'] as const)('has whole characters alone in %s', (format) => {
    const { log, lines } = logging({ format });
    const half = '😀'.slice(0, 1);
    log.error('Failed to reconcile', {
      short: half,
      long: 'x'.repeat(200) + half,
      nested: { [half]: [half, '\\ud83d'] },
    });
    const line = Buffer.from(lines[0] as string).toString();
    expect(line.match(/\ufffd/g)).toHaveLength(4);
    expect(line.match(/\\+ud83d/g)).toEqual(['\\\\ud83d']);
  });

  it('is read by people as text', () => {
    const { log, lines } = logging({ format: 'text' });
    log.warn('Failed to watch', { resource: 'configmaps', seconds: 3, fields: ['a', 'b'] });
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}Failed to watch {2}resource=configmaps {2}seconds=3 {2}fields=\["a","b"\]\n$/,
    );
  });

  it.each(['text', 'json'] as const)('has nothing as %s that a terminal takes for more than a letter', (format) => {
    const { log, lines } = logging({ format });
    const data = { note: 'a\u0085b\u009b31m\u202egpj.exe', fields: ['c\u2028d\u2066'], ['e\u007ff']: 1 };
    log.warn('Failed to watch', data);
    expect(lines[0]).not.toMatch(/[\u007f-\u009f\u2028-\u202e\u2066]/);
    expect(lines[0]).toContain('\\u009b31m\\u202egpj.exe');
    if (format === 'json') expect(JSON.parse(lines[0] as string)).toMatchObject(data);
  });

  it('says what to do about an error, where that is known', () => {
    const { log, lines } = logging();
    log.error('Failed', { error: new OperatorError('no', { hint: 'try again' }) });
    log.error('Failed', wordsOfError(new OperatorError('no', { hint: 'try again' })));
    log.error('Failed', wordsOfError(new Error('no')));
    const [handed, told, bare] = lines.map((line) => JSON.parse(line) as object);
    expect(handed).toMatchObject({ error: 'no', hint: 'try again', stack: expect.stringContaining('log.test.ts') });
    expect(told).toMatchObject({ error: 'no', hint: 'try again' });
    expect(bare).not.toHaveProperty('hint');
  });

  // Elasticsearch, for one, refuses a line whose key has another type than in the lines before.
  it.each([
    ['an error', new TypeError('no'), 'no'],
    ['an error without words, of several hosts', new AggregateError([new Error('b'), new Error('a')], ''), 'a, b'],
    ['what is no error', { code: 5 }, '[object Object]'],
    ['nothing at all', null, 'null'],
    ['a text', 'no', 'no'],
  ])('has a text under the key error of %s', (_, error, text) => {
    const { log, lines } = logging();
    log.error('Failed', { error });
    expect(JSON.parse(lines[0] as string)).toMatchObject({ error: text });
  });

  it('survives data that refers to itself', () => {
    const { log, lines } = logging();
    const data: { self?: object } = {};
    data.self = data;
    log.info('Reconciled', data);
    expect(lines).toHaveLength(1);
  });

  it('can say nothing', () => {
    expect(silentLog.child({ a: 1 })).toBe(silentLog);
  });
});
