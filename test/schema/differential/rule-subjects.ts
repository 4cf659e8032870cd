// Longer than most files: one table, of which each kind is a part.
import { s } from '../../../src/schema/s.js';
import type { Subject } from './subject.js';

const text = (options: object = {}) => s.string({ optional: true, maxLength: 40, ...options });

/** Kinds with CEL rules, and updates of their objects. */
export const ruleSubjects: readonly Subject[] = [
  {
    kind: 'FlightTicket',
    spec: s.object(
      {
        from: s.string({ minLength: 3, maxLength: 20 }),
        to: s.string({ minLength: 3, maxLength: 20 }),
        number: s.int32({ minimum: 1, maximum: 10 }),
        class: s.enum(['economy', 'business'], { default: 'economy' }),
      },
      {
        rules: [
          { rule: 'self.from != self.to', message: 'from and to must differ', fieldPath: '.to' },
          {
            rule: "self.class == 'economy' || self.number <= 4",
            messageExpression: "'at most 4 in %s, not %d'.format([self.class, self.number])",
          },
          { rule: "self.from != 'XXX'", reason: 'FieldValueForbidden', message: 'nobody flies there' },
          { rule: 'self.from == oldSelf.from', message: 'from is immutable' },
        ],
      },
    ),
    values: {
      'a good ticket': { from: 'BER', to: 'LIS', number: 2 },
      'there and nowhere': { from: 'BER', to: 'BER', number: 2 },
      'too many in business': { from: 'BER', to: 'LIS', number: 5, class: 'business' },
      'two rules at once': { from: 'XXX', to: 'XXX', number: 5, class: 'business' },
      'a rule beside a bad number': { from: 'BER', to: 'BER', number: 11 },
      'rules that wait for what is required': { from: 'BER', to: 'BER' },
    },
    updates: {
      'another destination': { from: { from: 'BER', to: 'LIS', number: 2 }, to: { from: 'BER', to: 'OSL', number: 2 } },
      'another origin': { from: { from: 'BER', to: 'LIS', number: 2 }, to: { from: 'OSL', to: 'LIS', number: 2 } },
      'a destination that is the origin': {
        from: { from: 'BER', to: 'LIS', number: 2 },
        to: { from: 'BER', to: 'BER', number: 2 },
      },
    },
  },
  {
    kind: 'Scaling',
    spec: s.object(
      {
        min: s.int32({ optional: true }),
        max: s.int32({ optional: true }),
        steps: s.array(s.int32(), { optional: true, maxItems: 5 }),
        ratio: s.number({ optional: true }),
        big: s.int64({ optional: true }),
      },
      {
        rules: [
          { rule: '!has(self.min) || !has(self.max) || self.min <= self.max' },
          { rule: '!has(self.steps) || self.steps.isSorted()', message: 'steps must be in order' },
          { rule: '!has(self.steps) || self.steps.sum() < 100 && self.steps.all(x, x > 0)' },
          { rule: '!has(self.ratio) || self.ratio < 1 && self.ratio * 2.0 != 1.0' },
          { rule: '!has(self.min) || self.min == 0 || 10 / self.min >= 1' },
          { rule: '!has(self.big) || self.big + 1 > 0' },
          { rule: '!has(self.steps) || size(self.steps) == 0 || self.steps[0] < 50 && self.steps.max() % 2 == 0' },
          { rule: '!has(self.steps) || self.steps.exists_one(x, x == 2) || !(2 in self.steps)' },
          { rule: '!has(self.steps) || ([] + self.steps).filter(x, x > 30).size() < 2' },
          { rule: "[].all(x, x > 1) && ([] + [1]).map(x, x - 1).sum() == 0 && {}.all(k, k > 'a')" },
          { rule: '[].filter(x, x > 1).size() == 0 && ![].exists(x, x >= 0 || x < 0)' },
        ],
      },
    ),
    values: {
      nothing: {},
      'in order': { min: 1, max: 2, steps: [2, 4] },
      'out of order': { min: 3, max: 2 },
      'steps out of order': { steps: [4, 2] },
      'steps that are too many': { steps: [40, 60] },
      'a negative step': { steps: [-2, 4] },
      'an odd maximum': { steps: [2, 5] },
      'no steps': { steps: [] },
      'a repeated two': { steps: [2, 2] },
      'two large steps': { steps: [32, 34] },
      'a ratio': { ratio: 0.25 },
      'half a ratio': { ratio: 0.5 },
      'a whole ratio': { ratio: 1 },
      'a minimum that is too high': { min: 20 },
      'a large number': { big: 9007199254740991 },
    },
  },
  {
    kind: 'Words',
    spec: s.object(
      { a: text(), b: text(), list: s.array(s.string({ maxLength: 20 }), { optional: true, maxItems: 5 }) },
      {
        rules: [
          { rule: "!has(self.a) || !self.a.startsWith('x') || self.a.endsWith('y')" },
          { rule: "!has(self.a) || self.a.matches('^(?i)[a-z-]*$')", message: 'letters only' },
          { rule: "!has(self.a) || !self.a.contains('--')" },
          { rule: "!has(self.b) || self.b.split(',').all(p, p.size() > 0)" },
          { rule: '!has(self.b) || self.b.lowerAscii() == self.b && self.b.trim() == self.b' },
          { rule: "!has(self.b) || self.b.replace('a', 'bb').size() < 12" },
          { rule: "!has(self.b) || self.b.find('[0-9]+') == '' || int(self.b.find('[0-9]+')) < 50" },
          { rule: "!has(self.b) || self.b.findAll('z').size() < 3" },
          {
            rule: "!has(self.b) || self.b.size() == 0 || self.b.charAt(0) != '!' && self.b.substring(1).indexOf('!') < 0",
          },
          { rule: "!has(self.list) || self.list.join('-') != 'a-b'" },
          {
            rule: "!has(self.list) || self.list.map(x, x.size()).sum() < 20 && self.list.filter(x, x == 'q').size() < 2",
          },
          { rule: "!has(self.list) || self.list.exists(x, x == 'must') || self.list.size() < 4" },
          {
            rule: "!has(self.list) || self.list.indexOf('late') < 2 && self.list.distinct().size() == self.list.size()",
          },
          { rule: '!has(self.list) || \'%s/%d\'.format([self.list, self.list.size()]) != \'["f", "g"]/2\'' },
        ],
      },
    ),
    values: {
      'a good word': { a: 'xy' },
      'an unfinished word': { a: 'xa' },
      'a word in capitals': { a: 'ABC' },
      'a word with digits': { a: 'a1' },
      'a word with dashes': { a: 'a--b' },
      parts: { b: 'a,b' },
      'an empty part': { b: 'a,,b' },
      'a capital': { b: 'A' },
      'a space at the end': { b: 'a ' },
      'a word that grows': { b: 'aaaaaaa' },
      'a high number': { b: 'n77' },
      'a number too large for any integer': { b: '99999999999999999999' },
      'many letters': { b: 'zzz' },
      'an exclamation at the start': { b: '!a' },
      'an exclamation inside': { b: 'a!' },
      'an empty word': { b: '' },
      emoji: { b: '😀!' },
      'a capital beyond ASCII': { b: 'Ä' },
      'a space beyond ASCII at the end': { b: 'a\u0085' },
      'a mark that is no space to Unicode': { b: 'a\ufeff' },
      'a joined list': { list: ['a', 'b'] },
      'a long list': { list: ['aaaaaaaaaaaa', 'bbbbbbbbbb'] },
      'two of a kind': { list: ['q', 'q'] },
      'four without what must be': { list: ['a', 'c', 'd', 'e'] },
      'four with what must be': { list: ['a', 'c', 'd', 'must'] },
      late: { list: ['a', 'c', 'late'] },
      'a formatted list': { list: ['f', 'g'] },
    },
  },
  {
    kind: 'Resources',
    spec: s.object(
      {
        cpu: s.quantity({ default: '100m' }),
        limit: s.quantity({ default: '1' }),
        port: s.intOrString({ optional: true, maxLength: 10 }),
        wait: s.string({ optional: true, format: 'duration' }),
        from: s.string({ optional: true, format: 'date-time' }),
        day: s.string({ optional: true, format: 'date' }),
        cert: s.string({ optional: true, format: 'byte', maxLength: 20 }),
        ip: text(),
        range: text(),
        url: text(),
        'with-dash': s.int32({ optional: true }),
        namespace: text(),
      },
      {
        rules: [
          {
            rule: 'quantity(string(self.cpu)).compareTo(quantity(string(self.limit))) <= 0',
            message: 'cpu exceeds limit',
          },
          { rule: "!quantity(string(self.limit)).isGreaterThan(quantity('10'))" },
          {
            rule: "quantity(string(self.cpu)).add(quantity('1m')).isInteger() == false || quantity(string(self.limit)).asInteger() > 0",
          },
          { rule: "!has(self.port) || (type(self.port) == int ? self.port > 1023 : self.port.startsWith('p'))" },
          { rule: "!has(self.wait) || self.wait < duration('1h') && self.wait > duration('0s')" },
          {
            rule: "!has(self.from) || self.from > timestamp('2020-01-01T00:00:00Z') && self.from.getFullYear() < 2030",
          },
          { rule: "!has(self.day) || self.day < timestamp('2030-01-01T00:00:00Z')" },
          { rule: "!has(self.cert) || self.cert.size() > 2 && self.cert != b'abc'" },
          { rule: '!has(self.ip) || isIP(self.ip) && ip(self.ip).family() == 4 && !ip(self.ip).isLoopback()' },
          {
            rule: "!has(self.range) || isCIDR(self.range) && cidr('10.0.0.0/8').containsCIDR(self.range) && cidr(self.range).prefixLength() > 15",
          },
          { rule: '!has(self.ip) || !has(self.range) || cidr(self.range).containsIP(self.ip)' },
          {
            rule: "!has(self.url) || isURL(self.url) && url(self.url).getScheme() == 'https' && url(self.url).getPort() in ['', '443']",
          },
          {
            rule: "!has(self.url) || url(self.url).getHostname().endsWith('.example') && url(self.url).getEscapedPath() != '/no'",
          },
          { rule: '!has(self.with__dash__dash) || self.with__dash__dash > 0' },
          { rule: "!has(self.__namespace__) || self.__namespace__ != 'kube-system'" },
        ],
      },
    ),
    values: {
      'the defaults': {},
      'the same in other words': { cpu: '1000m', limit: 1 },
      'more than the limit': { cpu: 2 },
      'a limit that is too high': { limit: '11' },
      'a limit that is no integer': { cpu: '999m', limit: '1500m' },
      'a port': { port: 8080 },
      'a low port': { port: 80 },
      'a port by name': { port: 'p80' },
      'a port by a bad name': { port: 'http' },
      'a wait': { wait: '5m' },
      'a long wait': { wait: '90m' },
      'a negative wait': { wait: '-5m' },
      'a time': { from: '2024-05-06T07:08:09Z' },
      'a time long ago': { from: '2019-05-06T07:08:09Z' },
      'a time far ahead': { from: '2031-05-06T07:08:09+02:00' },
      'a day': { day: '2024-05-06' },
      'a day far ahead': { day: '2031-05-06' },
      bytes: { cert: 'aGVsbG8=' },
      'too few bytes': { cert: 'YQ==' },
      'the wrong bytes': { cert: 'YWJj' },
      'bytes that rules cannot read': { cert: 'abc/+Q==' },
      'an address': { ip: '10.1.2.3' },
      'no address': { ip: 'x' },
      'an address of six': { ip: '::1' },
      'a loopback address': { ip: '127.0.0.1' },
      'a range': { range: '10.1.0.0/16' },
      'a range that is too wide': { range: '10.0.0.0/15' },
      'a range elsewhere': { range: '11.0.0.0/16' },
      'no range': { range: '10.0.0.0' },
      'an address in its range': { ip: '10.1.2.3', range: '10.1.0.0/16' },
      'an address out of its range': { ip: '10.2.2.3', range: '10.1.0.0/16' },
      'a URL': { url: 'https://a.example/x' },
      'a URL with its port': { url: 'https://a.example:443/x' },
      'a URL with another port': { url: 'https://a.example:444/x' },
      'a URL without encryption': { url: 'http://a.example/' },
      'a URL elsewhere': { url: 'https://a.test/' },
      'a URL that is forbidden': { url: 'https://a.example/no' },
      'no URL': { url: 'nope' },
      'a name with a dash': { 'with-dash': 0 },
      'a reserved name': { namespace: 'kube-system' },
    },
  },
  {
    kind: 'Nested',
    spec: s.object({
      rules: s.listMap(
        s.object(
          {
            name: s.string({ maxLength: 10 }),
            weight: s.int32({ default: 1 }),
            secret: s.string({
              optional: true,
              maxLength: 10,
              rules: [{ rule: 'self == oldSelf', message: 'is immutable' }],
            }),
          },
          {
            rules: [
              { rule: "self.name != 'bad' || self.weight > 5", message: 'bad needs weight', fieldPath: '.weight' },
            ],
          },
        ),
        {
          keys: ['name'],
          optional: true,
          maxItems: 5,
          rules: [{ rule: 'self.all(a, self.exists_one(b, b.weight == a.weight) || a.weight == 1)' }],
        },
      ),
      byName: s.map(s.object({ x: s.int32({ optional: true }) }), {
        optional: true,
        maxProperties: 4,
        rules: [
          { rule: "self.all(k, k.startsWith('n'))", message: 'keys begin with n' },
          { rule: 'self.all(k, !has(self[k].x) || self[k].x > 0)', fieldPath: "['nx']" },
          { rule: "!('n1' in self) || has(self.n1.x)" },
        ],
      }),
      tags: s.set(s.string({ maxLength: 10 }), {
        optional: true,
        maxItems: 5,
        rules: [{ rule: 'self == oldSelf', message: 'tags are immutable' }],
      }),
      items: s.array(s.string({ maxLength: 5, rules: [{ rule: "self != 'no'", reason: 'FieldValueDuplicate' }] }), {
        optional: true,
        maxItems: 4,
      }),
      odd: s.string({ nullable: true, optional: true, maxLength: 5, rules: [{ rule: "self != 'odd'" }] }),
      later: s.string({
        optional: true,
        maxLength: 5,
        rules: [{ rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true, message: 'starts as new' }],
      }),
      inner: s.object(
        {
          a: s.string({ optional: true, maxLength: 5 }),
          b: s.object({ c: s.int32({ optional: true }) }, { optional: true }),
        },
        {
          optional: true,
          rules: [
            { rule: 'self.a.size() > 1', message: 'a has to be there' },
            { rule: 'self.?b.?c.orValue(3) < 5', message: 'c is too high' },
            { rule: '!has(self.b.c) || self.b.c != 4' },
          ],
        },
      ),
    }),
    values: {
      nothing: {},
      'good rules': { rules: [{ name: 'a' }, { name: 'b', weight: 2 }] },
      'a bad rule': { rules: [{ name: 'a' }, { name: 'bad' }] },
      'a bad rule with weight': { rules: [{ name: 'bad', weight: 6 }] },
      'equal weights': {
        rules: [
          { name: 'a', weight: 2 },
          { name: 'b', weight: 2 },
        ],
      },
      'a new secret': { rules: [{ name: 'a', secret: 'x' }] },
      'good names': { byName: { n1: { x: 1 }, n2: {} } },
      'a bad name': { byName: { n1: { x: 1 }, m: {} } },
      'a bad value in a map': { byName: { n2: { x: 0 } } },
      'a missing value in a map': { byName: { n1: {} } },
      tags: { tags: ['a'] },
      'good items': { items: ['yes'] },
      'a bad item': { items: ['yes', 'no'] },
      'null, of which no rule speaks': { odd: null },
      'an odd one': { odd: 'odd' },
      'a first value': { later: 'new' },
      'a wrong first value': { later: 'old' },
      'a good inner object': { inner: { a: 'ab', b: { c: 1 } } },
      'an inner object without a': { inner: { b: {} } },
      'an inner object with too high a number': { inner: { a: 'ab', b: { c: 7 } } },
      'an inner object with a forbidden number': { inner: { a: 'ab', b: { c: 4 } } },
      'an inner object without b': { inner: { a: 'ab' } },
    },
    updates: {
      'a secret that changes': {
        from: { rules: [{ name: 'a', secret: 'x' }] },
        to: { rules: [{ name: 'a', secret: 'y' }] },
      },
      'a secret that stays, elsewhere in the list': {
        from: { rules: [{ name: 'a', secret: 'x' }] },
        to: { rules: [{ name: 'b' }, { name: 'a', secret: 'x', weight: 3 }] },
      },
      'a secret that comes': { from: { rules: [{ name: 'a' }] }, to: { rules: [{ name: 'a', secret: 'y' }] } },
      'a secret under another name': {
        from: { rules: [{ name: 'a', secret: 'x' }] },
        to: { rules: [{ name: 'b', secret: 'y' }] },
      },
      'the same tags in another order': { from: { tags: ['a', 'b'] }, to: { tags: ['b', 'a'] } },
      'other tags': { from: { tags: ['a', 'b'] }, to: { tags: ['a', 'c'] } },
      'fewer tags': { from: { tags: ['a', 'b'] }, to: { tags: ['a'] } },
      'a second value': { from: { later: 'new' }, to: { later: 'old' } },
      'a value that comes late': { from: {}, to: { later: 'old' } },
    },
  },
  {
    kind: 'Unseen',
    spec: s.object({
      maybe: s.object(
        { a: text({ nullable: true }), n: s.int32({ optional: true, nullable: true }) },
        {
          optional: true,
          nullable: true,
          rules: [
            { rule: '!has(self.a) || self.a.size() > 1', message: 'a is short' },
            { rule: '!has(self.n) || self.n > 1', message: 'n is low' },
            { rule: '!has(oldSelf.a) || has(self.a)', message: 'a stays' },
          ],
        },
      ),
      careless: s.object({ a: text({ nullable: true }) }, { optional: true, rules: [{ rule: "self.a != 'x'" }] }),
      fixed: s.object(
        { a: text({ nullable: true }), any: s.preserved({ optional: true }), '4xx': text() },
        { optional: true, rules: [{ rule: 'self == oldSelf', message: 'is immutable' }] },
      ),
      tags: s.set(s.string({ maxLength: 5 }), {
        optional: true,
        maxItems: 5,
        rules: [
          { rule: "self != ['x', 'y']", message: 'x and y do not go together' },
          { rule: '(self + oldSelf).size() < 4', message: 'too many at once' },
          { rule: "(self + ['z', 'z']).size() < 5", message: 'no room for z' },
        ],
      }),
      parts: s.listMap(s.object({ name: s.string({ maxLength: 5 }), size: s.int32({ optional: true }) }), {
        keys: ['name'],
        optional: true,
        maxItems: 5,
        rules: [{ rule: '(self + oldSelf).size() < 4 && self + oldSelf != []', message: 'too many at once' }],
      }),
    }),
    values: {
      nothing: {},
      'a null object': { maybe: null },
      'a null text': { maybe: { a: null } },
      'a null number': { maybe: { n: null } },
      'a short text': { maybe: { a: 'x' } },
      'a null that nobody asked for': { careless: { a: null } },
      'two tags': { tags: ['x', 'y'] },
      'two tags the other way round': { tags: ['y', 'x'] },
      'three tags': { tags: ['a', 'b', 'c'] },
      'four tags': { tags: ['a', 'b', 'c', 'd'] },
    },
    updates: {
      'a text that becomes null': { from: { maybe: { a: 'xx' } }, to: { maybe: { a: null } } },
      'a null that goes': { from: { maybe: { a: null } }, to: { maybe: {} } },
      'a null of what is fixed that goes': { from: { fixed: { a: null } }, to: { fixed: {} } },
      'what no rule can see': { from: { fixed: { any: { x: 1 } } }, to: { fixed: { any: { x: 2 } } } },
      'what no rule can see, and stays': { from: { fixed: { any: { x: 1 } } }, to: { fixed: { any: { x: 1 } } } },
      'what no rule can name': { from: { fixed: { '4xx': 'a' } }, to: { fixed: { '4xx': 'b' } } },
      'tags in another order': { from: { tags: ['a', 'b', 'c'] }, to: { tags: ['c', 'b', 'a'] } },
      'other tags': { from: { tags: ['a', 'b'] }, to: { tags: ['c', 'd'] } },
      'parts in another order': {
        from: { parts: [{ name: 'a' }, { name: 'b', size: 1 }] },
        to: { parts: [{ name: 'b', size: 2 }, { name: 'a' }] },
      },
      'other parts': {
        from: { parts: [{ name: 'a' }, { name: 'b' }] },
        to: { parts: [{ name: 'c' }, { name: 'd' }] },
      },
    },
  },
  {
    kind: 'Converted',
    spec: s.object(
      {
        wait: s.string({ optional: true, format: 'duration' }),
        at: s.string({ optional: true, format: 'date-time' }),
        text: text(),
        ip: text(),
        range: text(),
        url: text(),
        any: s.intOrString({ optional: true, maxLength: 10 }),
        ratio: s.number({ optional: true }),
      },
      {
        rules: [
          {
            rule: "!has(self.wait) || self.wait > duration('0')",
            messageExpression: "'%s is not more than 0, it is %d'.format([self.wait, int(self.wait)])",
          },
          { rule: "!has(self.wait) || self.wait + duration('1500ms') != duration('2s')", message: 'half a second' },
          { rule: "!has(self.wait) || string(self.wait) != '90s'", message: 'one and a half minutes' },
          { rule: "!has(self.at) || self.at != null && self.at > timestamp('2024-01-01T00:00:00Z')" },
          {
            rule: '!has(self.at)',
            messageExpression:
              "'%d %d %d %d'.format([self.at.getHours('+05:30'), self.at.getMinutes('-05:30'), self.at.getDayOfYear('+14:00'), self.at.getHours('Europe/Berlin')])",
          },
          { rule: "!has(self.text) || self.text.replace('a', 'b', 1) != 'baa'", message: 'replaced' },
          { rule: '!has(self.text) || strings.quote(self.text).size() < 10', message: 'quoted' },
          {
            rule: '!has(self.text) || self.text.size() < 5',
            messageExpression: "'%s %s %s %s'.format([1000000.0, 0.25, [1.5, 2.0], b'e'])",
          },
          { rule: '!has(self.ip) || isIP(self.ip)' },
          { rule: '!has(self.range) || isCIDR(self.range)' },
          {
            rule: "!has(self.url) || url(self.url).getEscapedPath() == '/'",
            messageExpression:
              "'%s %s %s'.format([url(self.url).getHostname(), url(self.url).getEscapedPath(), url(self.url).getQuery()])",
          },
          { rule: "!has(self.any) || type(self.any) == string && self.any.startsWith('a') || self.any > 3" },
          {
            rule: '!has(self.ratio)',
            messageExpression:
              "'%s %.0f %.2f %f %.0e %.3e'.format([[self.ratio, -0.0], self.ratio, self.ratio, self.ratio, self.ratio, self.ratio])",
          },
          {
            rule: "!has(self.wait) || self.wait < duration('24h')",
            messageExpression: "'%s is %s'.format([self.wait, string(self.wait)])",
          },
        ],
      },
    ),
    values: {
      ...each(
        'ratio',
        [
          0, 0.5, 1.5, -2.5, 2.675, 0.125, 1.125, 9.5, 99.95, 1e21, -1e100, 1e-7, 5e-324, 123456789.125, -1234.5,
          999.9999999, 9999999.5,
        ],
      ),
      ...each('wait', ['0s', '-1500ms', '500ms', '90s', '-90m', '1h', '-1ns', '-20ns', '1709208002.123456789s']),
      ...each('at', ['2024-05-01T00:00:00Z', '2024-06-30T23:59:58.25+02:00', '2023-05-01T00:00:00Z']),
      ...each('text', ['aaa', 'baa', '\t\u0001"\\', '\u200b', 'a text that is long']),
      ...each('ip', ['::ffff:102:304', '::1.2.3.4', '::ffff:1.2.3.4', '1.2.3.04']),
      ...each('range', ['10.0.0.0/08', '10.0.0.0/8', '::ffff:102:304/96', '::1.2.3.4/96']),
      ...each('url', [
        'https://a/',
        'https://a/b c?d=e f&g=%zz&h;i',
        'https://a/ü#x',
        'https://[fe80::1%25en0]:80/x',
        'https://a:80/%2f',
        'mailto:a@b',
        'nope',
        'https://a b/',
        'https://a%41b/',
      ]),
      'a number that may be a text': { any: 2 },
      'a text that may be a number': { any: 'b' },
    },
  },
  {
    kind: 'Failing',
    spec: s.object(
      {
        text: text(),
        at: s.int64({ optional: true }),
        words: s.array(s.string({ maxLength: 5 }), { maxItems: 4, optional: true }),
      },
      {
        rules: [
          { rule: "!has(self.text) || self.text.size() > 20 || quantity(self.text).isLessThan(quantity('1'))" },
          { rule: '!has(self.at) || uint(self.at) - 7u > 1u' },
          { rule: '!has(self.at) || 5 % self.at == 0 && 5u % uint(self.at) == 0u' },
          { rule: '!has(self.at) || !has(self.words) || self.words.slice(self.at, 2).size() > 0' },
          { rule: "!has(self.words) || self.words[?1].value() != ''" },
          { rule: '!has(self.words) || self.words.size() != 1 || ip(self.words[0]).family() == 4' },
        ],
      },
    ),
    values: {
      ...each('text', ['', '1', '1 ', 'x', '1K', '1e', '.', '-', '+Ki', '1.2.3', '0x1', '1Mix', 'Ki']),
      ...each('at', [0, 1, 8, -1]),
      'a part that begins too early': { at: -1, words: ['a', 'b'] },
      'a part that ends before it begins': { at: 3, words: ['a', 'b'] },
      'a part that ends too late': { at: 1, words: ['a'] },
      'no words': { words: [] },
      ...Object.fromEntries(
        ['', 'a', 'a.b', '%a', '1.2', '1..2', '.1', '1.', '01.2', '1.256', '0.0.0'].map((word) => [
          `no address, ${word}`,
          { words: [word] },
        ]),
      ),
      'an address with a zone': { words: ['::1%a'] },
    },
  },
  {
    kind: 'Sums',
    spec: s.object(
      {
        waits: s.array(s.string({ format: 'duration' }), { maxItems: 5, optional: true }),
        keys: s.array(s.string({ format: 'byte', maxLength: 20 }), { maxItems: 5, optional: true }),
        one: s.int64({ optional: true }),
      },
      {
        rules: [
          { rule: "!has(self.waits) || self.waits.sum() < duration('2h')" },
          { rule: '!has(self.waits) || type(self.waits.sum()) == google.protobuf.Duration' },
          { rule: '!has(self.keys) || self.keys.isSorted()' },
          { rule: '!has(self.keys) || self.keys.size() == 0 || self.keys.min() == self.keys.sort()[0]' },
          { rule: "!has(self.keys) || self.keys.all(key, key < b'2' && key <= b'1' && b'1' >= key && b'2' > key)" },
          {
            rule: "!has(self.one) || [uint(self.one), 2u].sum() == 3u && quantity('10u').asApproximateFloat() == 0.00001",
          },
          { rule: '!has(self.one) || [9223372036854775807, self.one - 1].sum() > 0' },
          { rule: '!has(self.one) || [18446744073709551615u, uint(self.one - 1)].sum() > 0u' },
          { rule: '!has(self.one) || -(-9223372036854775807 - self.one + 2) > 0' },
          { rule: '!has(self.one) || (-9223372036854775807 - self.one + 2) / -1 > 0' },
          { rule: '!has(self.one) || (-9223372036854775807 - self.one + 2) % -1 == 0' },
          { rule: "!has(self.one) || '%f %f %e'.format([1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0]) == ''" },
          { rule: "!has(self.one) || timestamp('0001-01-01T12:00:00Z').getFullYear('Europe/Berlin') == self.one" },
          {
            rule: "!has(self.one) || timestamp('0001-01-01T00:00:00Z').getFullYear('America/New_York') == self.one - 1",
          },
        ],
      },
    ),
    values: {
      'short waits': { waits: ['1h', '30m'] },
      'long waits': { waits: ['1h', '90m'] },
      'no waits': { waits: [] },
      'waits beyond all spans': { waits: ['2562047h', '2562047h'] },
      'keys in order': { keys: ['CQ==', 'ChQ='] },
      'keys out of order': { keys: ['ChQ=', 'CQ=='] },
      'a key that begins another': { keys: ['Cg==', 'ChQ='] },
      'no keys': { keys: [] },
      ...each('one', [1, 2, 3]),
    },
  },
  {
    kind: 'Alike',
    spec: s.object(
      {
        parts: s.array(
          s.object({
            tags: s.set(s.string({ maxLength: 5 }), { maxItems: 3 }),
            ports: s.listMap(s.object({ name: s.string({ maxLength: 5 }), port: s.int32({ default: 1 }) }), {
              keys: ['name'],
              maxItems: 3,
              default: [],
            }),
          }),
          { maxItems: 3 },
        ),
        other: s.set(s.string({ maxLength: 5 }), { maxItems: 3 }),
      },
      {
        rules: [
          { rule: 'self.parts[0] == self.parts[1]' },
          { rule: 'self.parts[0] != self.parts[1]' },
          { rule: 'self.parts[0] in [self.parts[1]]' },
          { rule: '[self.parts[0].tags] == [self.other]' },
          { rule: '[self.other] == [self.parts[0].tags]' },
          { rule: "{'a': self.other} == {'a': self.parts[0].tags}" },
          { rule: 'self.parts.indexOf(self.parts[1]) == 0' },
          { rule: 'self.parts.distinct().size() == 1' },
          { rule: 'sets.contains([self.other], [self.parts[0].tags])' },
          { rule: 'self.other in self.parts.map(part, part.tags)' },
        ],
      },
    ),
    values: {
      'the same in order': { parts: [{ tags: ['a', 'b'] }, { tags: ['a', 'b'] }], other: ['a', 'b'] },
      'sets in another order': { parts: [{ tags: ['a', 'b'] }, { tags: ['b', 'a'] }], other: ['b', 'a'] },
      'list maps in another order': {
        parts: [
          { tags: ['a'], ports: [{ name: 'x' }, { name: 'y', port: 2 }] },
          { tags: ['a'], ports: [{ name: 'y', port: 2 }, { name: 'x' }] },
        ],
        other: ['a'],
      },
      'other sets': { parts: [{ tags: ['a', 'b'] }, { tags: ['a', 'c'] }], other: ['b'] },
    },
  },
  {
    kind: 'Unhashable',
    spec: s.object({
      pairs: s.set(s.object({ a: s.int32() }, { atomic: true }), {
        maxItems: 3,
        rules: [{ rule: 'self == self' }, { rule: 'self == oldSelf', message: 'it stays' }],
      }),
      lists: s.set(s.array(s.int32(), { maxItems: 2 }), {
        maxItems: 3,
        optional: true,
        rules: [{ rule: 'self == self' }, { rule: '(self + self).size() < 2', message: 'there is one' }],
      }),
    }),
    values: {
      'sets of nothing': { pairs: [] },
      'sets of objects': { pairs: [{ a: 1 }], lists: [] },
      'sets of lists': { pairs: [], lists: [[1]] },
      'sets of two lists': { pairs: [], lists: [[1], [2]] },
    },
  },
  {
    kind: 'Firsts',
    spec: s.object(
      { tags: s.set(s.string({ maxLength: 5 }), { maxItems: 3 }) },
      {
        rules: [
          { rule: 'self == oldSelf', message: 'something is another' },
          { rule: 'self.tags[0] == oldSelf.tags[0]', message: 'the first is another' },
        ],
      },
    ),
    values: { tags: { tags: ['a', 'b'] } },
    updates: {
      'the same tags in another order': { from: { tags: ['a', 'b'] }, to: { tags: ['b', 'a'] } },
      'more tags': { from: { tags: ['a', 'b'] }, to: { tags: ['a', 'b', 'c'] } },
    },
  },
];

function each(field: string, values: readonly (string | number)[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value) => [`${field} ${JSON.stringify(value)}`, { [field]: value }]));
}
