/** Longer than most files: each form in which a secret may be quoted, in a line or two. */
import { describe, expect, it } from '@jest/globals';
import { InvalidError } from '../../src/client/api-error.js';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import { Secrets } from '../../src/drift/secrets.js';
import { TerminalError } from '../../src/kube/errors.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the texts that may be shown to nobody', () => {
  const database = {
    apiVersion: 'example.com/v1',
    kind: 'Database',
    metadata: { name: 'a' },
    spec: {
      size: 12345,
      users: [
        { name: 'anna', password: 'hunter2' },
        { name: 'robert', password: 'other-one' },
      ],
      open: 'open',
    },
  };

  it.each(['v1', 'vault.example.com/v1'])(
    'are all that a Secret of %s holds, and what the policy says is sensitive',
    (apiVersion) => {
      const secret = {
        apiVersion,
        kind: 'Secret',
        metadata: { name: 's' },
        data: { a: base64('swordfish') },
        stringData: { b: 'opensesame' },
      };
      const policy = DriftPolicy.of({ sensitive: ['spec.size', 'spec.users[name=anna].password', 'spec.none.such'] });
      const said = `${base64('swordfish')} swordfish opensesame 12345 hunter2 other-one`;
      expect(Secrets.in([secret, database], policy).hiddenIn(said)).toBe(
        '(hidden) (hidden) (hidden) (hidden) (hidden) other-one',
      );
    },
  );

  it.each([
    ['spec.users[*].password', '12345 anna (hidden) robert (hidden) open'],
    ['spec.users[name=robert]', '12345 anna hunter2 (hidden) (hidden) open'],
    ['spec.*', '(hidden) (hidden) (hidden) (hidden) (hidden) (hidden)'],
    ['spec.users.password', '12345 anna hunter2 robert other-one open'],
  ])('are those at %s', (field, told) => {
    const secrets = Secrets.in([database], DriftPolicy.of({ sensitive: [field] }));
    expect(secrets.hiddenIn('12345 anna hunter2 robert other-one open')).toBe(told);
  });

  it('are none where another kind is meant', () => {
    const other = { ...database, kind: 'Secret' };
    const policy = DriftPolicy.of({
      sensitive: [{ kind: { apiVersion: 'v1', kind: 'Pod' } as never, field: 'spec.open' }],
    });
    expect(Secrets.in([database, other], policy).hiddenIn('it is open')).toBe('it is open');
  });

  it('are not what the objects are called', () => {
    const values = base64('kind: Deployment\nnamespace: default\npassword: hunter2');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { values } };
    const server = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'default' } };
    const secrets = Secrets.in([secret, server], DriftPolicy.enforcing);
    expect(secrets.hiddenIn('Deployment/default/a: hunter2')).toBe('Deployment/default/a: (hidden)');
  });

  it('are not what their owners are called, or who writes them', () => {
    const metadata = {
      name: 's',
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'theirs', uid: '1' }],
      managedFields: [{ manager: 'somebody', operation: 'Update' as const, apiVersion: 'v1' }],
    };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      stringData: { a: 'theirs', b: 'somebody', c: 'hunter2' },
    };
    const said = 'it belongs to ConfigMap/theirs, by somebody: hunter2';
    const told = 'it belongs to ConfigMap/theirs, by somebody: (hidden)';
    expect(Secrets.in([secret], DriftPolicy.enforcing).hiddenIn(said)).toBe(told);
  });
});

describe('what is told without secrets', () => {
  it.each([
    ['the whole', 'hunter2', 'no user hunter2', 'no user (hidden)'],
    ['the whole, in base64', 'hunter2', `bad ${base64('hunter2')}`, 'bad (hidden)'],
    ['the whole, as JSON has it', 'a"b\\c', 'Invalid value: "a\\"b\\\\c"', 'Invalid value: "(hidden)"'],
    [
      'the whole, in an address',
      'p@ss/word',
      'no answer of db://u:p%40ss%2Fword@host',
      'no answer of db://u:(hidden)@host',
    ],
    [
      'the whole, in what an address asks',
      'open sesame!~',
      `no answer of http://a/?${new URLSearchParams({ key: 'open sesame!~' })}`,
      'no answer of http://a/?key=(hidden)',
    ],
    [
      'the whole, as the password of an address',
      'p@$$,word',
      `no answer of ${Object.assign(new URL('db://u@host'), { password: 'p@$$,word' })}`,
      'no answer of db://u:(hidden)@host',
    ],
    [
      'the whole, as Go has it in JSON',
      'p&ss<w"rd',
      'Invalid value: {"a":"p\\u0026ss\\u003cw\\"rd"}',
      'Invalid value: {"a":"(hidden)"}',
    ],
    ['the whole, without the line feed at its end', 'hunter2\n', 'no user hunter2', 'no user (hidden)'],
    ['each time', 'hunter2', 'hunter2, hunter2', '(hidden), (hidden)'],
    ['within a word, where it is long', 'correcthorse', 'Basic_correcthorsebattery', 'Basic_(hidden)battery'],
    ['a word of its own, where it is short', 'open', 'reopen: open', 'reopen: (hidden)'],
    ['a line', 'user=ann\npassword=hunter2', 'cannot read "password=hunter2"', 'cannot read "(hidden)"'],
    ['what a line sets', 'user: ann\npassword: "hunter2"', 'no entry for hunter2', 'no entry for (hidden)'],
    ['an item of a list', '- hunter2', 'no entry for hunter2', 'no entry for (hidden)'],
    ['what is set second', 'user=ann password=hunter2', 'no entry for hunter2', 'no entry for (hidden)'],
    ['a line of what JSON holds', '{"key":"BEGIN\\nhunter2\\nEND"}', 'bad line hunter2', 'bad line (hidden)'],
    ['what JSON holds', '{"users":[{"password":"hunter2"}]}', 'no entry for hunter2', 'no entry for (hidden)'],
    ['the longest', 'hunter2\nhunter2-and-more', 'is hunter2-and-more', 'is (hidden)'],
    ['letters that mean something in a pattern', '$& (.*) [x', 'it is $& (.*) [x', 'it is (hidden)'],
    ['nothing of few letters', 'abc', 'abc', 'abc'],
    ['nothing else', 'hunter2', 'nobody is called hunter', 'nobody is called hunter'],
  ])('hides %s', (_, secret, said, told) => {
    expect(Secrets.of([secret]).hiddenIn(said)).toBe(told);
  });

  it.each([
    'hunter2 is the word',
    '{"password": hunter2, "and": "so on and on and on"}',
    '["hunter2 and some more of it',
  ])('hides what JSON.parse quotes of %s', (secret) => {
    const said = () => JSON.parse(secret) as unknown;
    expect(said).toThrow();
    try {
      said();
    } catch (error) {
      const told = Secrets.of([secret]).hiddenIn(`the document is bad: ${(error as Error).message}`);
      expect(told).not.toMatch(/hunt|some more|so on/);
      expect(told).toMatch(/^the document is bad: /);
    }
  });

  it.each([
    ['a line that a parser cuts at its end', 'line 1:\n\nurl: a: b-0123456789…\n   ^\n', 'line 1:\n\n(hidden)\n   ^\n'],
    ['one that it cuts at its beginning', 'line 1:\n…56789-0123456789\n', 'line 1:\n(hidden)\n'],
    ['one of which it shows the midst', 'near:\n  ...b-0123456789-0...\n', 'near:\n(hidden)\n'],
    ['what it quotes of it', 'no "...789-0123..." here', 'no "(hidden)" here'],
    ['another line that is cut', 'reading the configuration…\n', 'reading the configuration…\n'],
  ])('hides %s', (_, said, told) => {
    const text = `user: anna\nurl: a: b-${'0123456789-'.repeat(20)}0123456789\n`;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { file: base64(text) } };
    expect(Secrets.in([secret], DriftPolicy.of({})).hiddenIn(said)).toBe(told);
  });

  it('leaves all where there are none', () => {
    expect(Secrets.of([]).hiddenIn('"x" is not valid JSON')).toBe('"x" is not valid JSON');
  });

  it.each([
    ['spaces', `a=${' '.repeat(200_000)}x\ry`, 'it failed'],
    ['lines', Array.from({ length: 200_000 }, (_, line) => `line-${line}`).join('\n'), 'line-199999'],
    ['quotes', 'hunter2', `hunter2 ${'"a",'.repeat(50_000)}`],
  ])('looks through %s in a moment, however many', (_, secret, said) => {
    expect(Secrets.of([secret]).hiddenIn(said)).toMatch(/^(it failed|\(hidden\).*)$/);
  });

  it.each([
    ['one that begins where nothing more is told', 'hunter2-and-more', `${'x'.repeat(4090)} hunter2-and-more`, 'hunt'],
    ['one that is longer than what is told', 'hunter2'.repeat(1000), `no user ${'hunter2'.repeat(1000)}!`, 'hunt'],
    [
      'one that is so in base64',
      `BEGIN\n${'hunter2'.repeat(500)}\nEND`,
      `Invalid value: "${base64(`BEGIN\n${'hunter2'.repeat(500)}\nEND`)}"`,
      base64(`BEGIN\n${'hunter2'.repeat(500)}`).slice(0, 100),
    ],
  ])('shows no part of %s', (_, secret, said, part) => {
    expect(said).toContain(part);
    const told = Secrets.of([secret]).hiddenIn(said);
    expect(told).not.toContain(part);
    expect(told.length).toBeLessThan(4100);
  });

  it('knows other spellings of one, however long another is', () => {
    const long = Array.from({ length: 3000 }, (_, line) => `line-${line}`).join('\n');
    const told = Secrets.of([long, 'p@ss/word']).hiddenIn('no answer of db://u:p%40ss%2Fword@host, nor line-2999');
    expect(told).toBe('no answer of db://u:(hidden)@host, nor (hidden)');
  });

  it('tells nothing of what quotes very much of them, nor where many errors quote little of very many', () => {
    const words = Array.from({ length: 20_000 }, (_, word) => `w${(word + 46_656).toString(36)}`);
    const none = expect.stringContaining('not told');
    expect(Secrets.of([words.join('\n')]).hiddenIn(words.slice(0, 500).join(' '))).toEqual(none);
    const secrets = Secrets.of([words.join('\n')]);
    const told = Array.from({ length: 100 }, (_, index) =>
      secrets.hiddenIn(`${words[index]} ${'nothing '.repeat(400)}`),
    );
    expect(told[0]).toMatch(/^\(hidden\) nothing/);
    expect(told.at(-1)).toEqual(none);
  });

  it('tells nothing where there are very many Secrets, or a Secret of very many keys', () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, base64(`value-${key}`)]));
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data };
    const told = Secrets.in([secret], DriftPolicy.enforcing).hiddenIn('it is value-777');
    expect(told).toContain('not told');
  });

  it('looks for other spellings of the shortest first, where there are very many', () => {
    const texts = Array.from({ length: 10 }, (_, text) =>
      Array.from({ length: 1500 }, (_, line) => `line ${text} ${line}`).join('\n'),
    );
    const told = Secrets.of([...texts, 'p@ss/word']).hiddenIn('p%40ss%2Fword, line 9 1499, line%209%201499');
    expect(told).toBe('(hidden), (hidden), line%209%201499');
  });

  it('finds what is sensitive however deep it is', () => {
    let spec: unknown = 'hunter2';
    for (let depth = 0; depth < 10_000; depth++) spec = depth % 2 === 0 ? { a: spec } : [spec];
    const deep = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' }, spec };
    const secrets = Secrets.in([deep], DriftPolicy.of({ sensitive: ['spec'] }));
    expect(secrets.hiddenIn('it is hunter2')).toBe('it is (hidden)');
    expect(secrets.hiddenInValue(spec)).toBe('(hidden)');
  });

  it('takes halves of characters for what they are', () => {
    expect(Secrets.of(['\ud800abcd']).hiddenIn('it is \ud800abcd')).toBe('it is (hidden)');
  });
});

describe('a value that is told without secrets', () => {
  it('has none in what it holds, however long that is, and is as it was otherwise', () => {
    const secrets = Secrets.of(['hunter2', '12345', 'long-word']);
    const long = `${'x'.repeat(5000)} long-word`;
    const value = { hunter2: ['no hunter2', 12345, 123456, null, true], text: long };
    expect(secrets.hiddenInValue(value)).toEqual({
      hunter2: ['no (hidden)', '(hidden)', 123456, null, true],
      text: `${'x'.repeat(5000)} (hidden)`,
    });
    expect(secrets.hiddenInValue(undefined)).toBeUndefined();
  });
});

describe('an error that is told without secrets', () => {
  it('is of its class, and says what to do', () => {
    const refused = new InvalidError('it is "hunter2"', {
      status: { code: 422, reason: 'Invalid' },
      cause: new Error('hunter2'),
    });
    const told = Secrets.of(['hunter2']).without(refused);
    expect(told).toBeInstanceOf(InvalidError);
    expect(told).toMatchObject({ name: 'InvalidError', message: 'it is "(hidden)"', status: { code: 422 } });
    expect([told.stack, told.cause, String(told)].join()).not.toContain('hunter2');
    expect(refused.message).toBe('it is "hunter2"');
  });

  it('hides it in what to do about it, too', () => {
    const told = Secrets.of(['hunter2']).without(new TerminalError('bad', { hint: 'do not write hunter2' }));
    expect(told).toBeInstanceOf(TerminalError);
    expect(told).toMatchObject({ message: 'bad', hint: 'do not write (hidden)' });
  });

  it('is the same one where there is nothing to hide', () => {
    const error = Object.freeze(new Error('x'));
    expect(Secrets.of(['hunter2']).without(error)).toBe(error);
  });
});
