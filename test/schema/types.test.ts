import { describe, expect, it } from '@jest/globals';
import { type In, type Out, s } from '../../src/schema/s.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function typesEqual<A, B>(equal: Equal<A, B>): void {
  expect(equal).toBe(true);
}

const memcached = s.object({
  size: s.int32({ minimum: 0, maximum: 10, description: 'How many memcached pods run.' }),
  image: s.string({ default: 'memcached:1.6-alpine', description: 'Image that every pod runs.' }),
});

describe('the types of a schema', () => {
  it('have required fields required and defaulted fields optional for a user, and both present once stored', () => {
    typesEqual<In<typeof memcached>, { readonly size: number; readonly image?: string }>(true);
    typesEqual<Out<typeof memcached>, { readonly size: number; readonly image: string }>(true);
  });

  it('keep an optional field optional for everyone', () => {
    const schema = s.object({ note: s.string({ optional: true }), size: s.int64({ optional: true, default: 3 }) });
    typesEqual<In<typeof schema>, { readonly note?: string; readonly size?: number }>(true);
    typesEqual<Out<typeof schema>, { readonly note?: string; readonly size: number }>(true);
  });

  it('take a field for one that may be missing where only a run can tell', () => {
    const [flag, options] = [Math.random() > 2, {}] as [boolean, { readonly optional?: boolean }];
    const schema = s.object({ a: s.string({ optional: flag, nullable: flag }), b: s.int32(options) });
    typesEqual<Out<typeof schema>, { readonly a?: string | null; readonly b?: number }>(true);
  });

  it('have a field that is defined in some runs alone, as under a flag', () => {
    const flag = Math.random() > 2;
    const [size, image] = [s.int32(), s.string({ default: 'a' })];
    const schema = s.object({ size, ...(flag ? { image, owner: s.string() } : {}) });
    type Either = { readonly size: number; readonly image?: string; readonly owner?: string };
    typesEqual<In<typeof schema>, Either>(true);
    typesEqual<Out<typeof schema>, Either>(true);
  });

  it('allow null where the schema does', () => {
    const schema = s.object({ a: s.string({ nullable: true }), b: s.number({ nullable: true, optional: true }) });
    typesEqual<In<typeof schema>, { readonly a: string | null; readonly b?: number | null }>(true);
    typesEqual<Out<typeof schema>, { readonly a: string | null; readonly b?: number | null }>(true);
  });

  it('name the values of an enum', () => {
    const schema = s.object({ mode: s.enum(['fast', 'safe'], { default: 'safe' }), level: s.enum(['a', 'b']) });
    typesEqual<In<typeof schema>, { readonly mode?: 'fast' | 'safe'; readonly level: 'a' | 'b' }>(true);
    typesEqual<Out<typeof schema>, { readonly mode: 'fast' | 'safe'; readonly level: 'a' | 'b' }>(true);
  });

  it('follow nesting through lists, sets, list maps and maps', () => {
    const port = s.object({ port: s.int32(), protocol: s.enum(['TCP', 'UDP'], { default: 'TCP' }) });
    const schema = s.object({
      hosts: s.array(s.string()),
      tags: s.set(s.string(), { optional: true }),
      ports: s.listMap(port, { keys: ['port', 'protocol'] }),
      labels: s.map(s.string(), { default: {} }),
      byName: s.map(port, { optional: true }),
    });
    typesEqual<
      In<typeof schema>,
      {
        readonly hosts: readonly string[];
        readonly ports: readonly { readonly port: number; readonly protocol?: 'TCP' | 'UDP' }[];
        readonly tags?: readonly string[];
        readonly labels?: Readonly<Record<string, string>>;
        readonly byName?: Readonly<Record<string, { readonly port: number; readonly protocol?: 'TCP' | 'UDP' }>>;
      }
    >(true);
    typesEqual<
      Out<typeof schema>,
      {
        readonly hosts: readonly string[];
        readonly ports: readonly { readonly port: number; readonly protocol: 'TCP' | 'UDP' }[];
        readonly labels: Readonly<Record<string, string>>;
        readonly tags?: readonly string[];
        readonly byName?: Readonly<Record<string, { readonly port: number; readonly protocol: 'TCP' | 'UDP' }>>;
      }
    >(true);
  });

  it('give the rest their plain types', () => {
    const schema = s.object({
      on: s.boolean({ default: false }),
      port: s.intOrString(),
      memory: s.quantity({ default: '64Mi' }),
      anything: s.preserved(),
      values: s.preserved<{ readonly a?: number }>({ optional: true }),
    });
    typesEqual<
      Out<typeof schema>,
      {
        readonly on: boolean;
        readonly port: string | number;
        readonly memory: string | number;
        readonly anything: unknown;
        readonly values?: { readonly a?: number };
      }
    >(true);
  });

  it('make a whole object optional by its default', () => {
    const schema = s.object({ options: s.object({ debug: s.boolean({ default: false }) }, { default: {} }) });
    typesEqual<In<typeof schema>, { readonly options?: { readonly debug?: boolean } }>(true);
    typesEqual<Out<typeof schema>, { readonly options: { readonly debug: boolean } }>(true);
    expect(schema.withDefaults({})).toEqual({ options: { debug: false } });
  });

  it('refuse what is wrong before anything runs', () => {
    expect(mistakes).toBeInstanceOf(Function);
  });
});

/** Each line is a mistake that must not compile; `npm run types` fails when one does. Nothing of it is ever run. */
function mistakes(): void {
  const spec: In<typeof memcached> = { size: 1 };
  // @ts-expect-error a field that the schema does not have
  spec.sise;
  // @ts-expect-error undefined is not the same as absent
  ({ size: 1, image: undefined }) satisfies In<typeof memcached>;
  // @ts-expect-error a required field is missing
  ({ image: 'a' }) satisfies In<typeof memcached>;
  // @ts-expect-error a number is no string
  s.string({ default: 3 });
  // @ts-expect-error a default outside the enum
  s.enum(['a', 'b'], { default: 'c' });
  // @ts-expect-error an enum is never null
  s.enum(['a', 'b'], { nullable: true });
  // @ts-expect-error a limit of strings on a number
  s.int32({ maxLength: 3 });
  // @ts-expect-error a format that nobody enforces
  s.string({ format: 'ipv5' });
  // @ts-expect-error null is no default
  s.string({ default: null, nullable: true });
  // @ts-expect-error a list map without keys
  s.listMap(s.object({ name: s.string() }), { keys: [] });
  // @ts-expect-error a key that the items do not have
  s.listMap(s.object({ name: s.string() }), { keys: ['nom'] });
  // @ts-expect-error a key that may be missing
  s.listMap(s.object({ name: s.string({ optional: true }) }), { keys: ['name'] });
  // @ts-expect-error a default that lacks a required field
  s.object({ a: s.string() }, { default: {} });
  // @ts-expect-error a default with a field too many
  s.object({ a: s.string({ default: 'x' }) }, { default: { b: 1 } });
}
