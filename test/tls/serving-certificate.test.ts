import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { type ServingPair, selfSigned } from '../../src/tls/self-signed.js';
import { ServingCertificate } from '../../src/tls/serving-certificate.js';

const day = 24 * 60 * 60 * 1000;
const pairFor = (subject: string) =>
  selfSigned({ subject, names: ['localhost'], now: Date.now(), validMilliseconds: day });
const whole = pairFor('a');
const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const subjectOf = ({ cert }: ServingPair) => new X509Certificate(cert).subject;

describe('the certificate of a server', () => {
  let clock: VirtualClock;
  let stop: AbortController;
  let folder: string;
  let told: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    stop = new AbortController();
    folder = mkdtempSync(join(tmpdir(), 'kilter-certificate-'));
    told = [];
  });
  afterEach(() => {
    stop.abort();
    rmSync(folder, { recursive: true });
  });

  const files = () => ({ cert: join(folder, 'data/tls.crt'), key: join(folder, 'data/tls.key') });
  let versions = 0;

  /** As the kubelet writes a Secret: a new folder, and a link that is changed to it at once. */
  function publish({ cert, key }: { readonly cert: string; readonly key: string }): void {
    const version = join(folder, `version-${++versions}`);
    mkdirSync(version);
    writeFileSync(join(version, 'tls.crt'), cert);
    writeFileSync(join(version, 'tls.key'), key);
    symlinkSync(version, join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'data'));
  }

  async function open(from?: { readonly cert: string; readonly key: string }): Promise<ServingCertificate> {
    const certificate = await ServingCertificate.open({
      clock,
      files: from,
      names: ['localhost'],
      subject: 'made here',
    });
    certificate.watch(stop.signal, {
      changed: (pair) => told.push(subjectOf(pair)),
      failed: (error) => told.push(error.message),
    });
    return certificate;
  }

  /** Ten seconds, and the reading of files, which no virtual clock hurries. */
  const look = async () => {
    const before = clock.timers;
    await clock.advance(10_000);
    while (clock.timers < before) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is read from files, and read again when they change', async () => {
    publish(pairFor('first'));
    const certificate = await open(files());
    expect(subjectOf(certificate.pair)).toBe('CN=first');
    await look();
    expect(told).toEqual([]);
    publish(pairFor('second'));
    await look();
    await look();
    expect(told).toEqual(['CN=second']);
    expect(subjectOf(certificate.pair)).toBe('CN=second');
  });

  it('stays while the files do not fit together, which is told once, and changes when they do', async () => {
    publish(pairFor('first'));
    const certificate = await open(files());
    publish({ cert: pairFor('second').cert, key: pairFor('third').key });
    await look();
    await look();
    expect(told).toEqual([
      expect.stringMatching(/tls\.crt with its key .*tls\.key failed: they do not belong together$/),
    ]);
    expect(subjectOf(certificate.pair)).toBe('CN=first');
    publish(pairFor('fourth'));
    await look();
    expect(subjectOf(certificate.pair)).toBe('CN=fourth');
  });

  it('is read again from files that look as they did when they could not be read', async () => {
    publish(pairFor('first'));
    const certificate = await open(files());
    const second = pairFor('second');
    const then = new Date(1_000_000_000_000);
    const write = (cert: string) => {
      writeFileSync(files().cert, cert);
      writeFileSync(files().key, second.key);
      for (const file of Object.values(files())) utimesSync(file, then, then);
    };
    write('-'.repeat(second.cert.length));
    await look();
    expect(told).toEqual([expect.stringContaining('tls.crt')]);
    expect(subjectOf(certificate.pair)).toBe('CN=first');
    write(second.cert);
    await look();
    expect(told.slice(1)).toEqual(['CN=second']);
    expect(subjectOf(certificate.pair)).toBe('CN=second');
  });

  it('stays while the files are gone, which is told once', async () => {
    publish(pairFor('first'));
    const certificate = await open(files());
    rmSync(join(folder, 'data'));
    await look();
    await look();
    expect(told).toEqual([expect.stringContaining('ENOENT')]);
    expect(subjectOf(certificate.pair)).toBe('CN=first');
    publish(pairFor('second'));
    await look();
    expect(subjectOf(certificate.pair)).toBe('CN=second');
  });

  it.each([
    ['are not there', undefined],
    ['hold something else', { cert: 'nonsense', key: 'nonsense' }],
    ['hold a chain whose end is none', { cert: `${whole.cert}${broken}`, key: whole.key }],
    ['do not belong together', { cert: pairFor('a').cert, key: pairFor('b').key }],
  ])('is no use when the files %s, and says which they are and what to do', async (_, content) => {
    if (content) publish(content);
    await expect(open(files())).rejects.toMatchObject({
      name: 'OperatorError',
      message: expect.stringContaining(files().cert),
      hint: expect.stringContaining('both'),
    });
  });

  it('never shows the key in an error', async () => {
    const { cert, key } = pairFor('a');
    publish({ cert, key: key.replace(/\n(.{10})/, '\n!!!!$1') });
    await expect(open(files())).rejects.toMatchObject({ message: expect.not.stringContaining(key.slice(40, 60)) });
  });

  it('is made here without files, and made anew a month before its end', async () => {
    const certificate = await open();
    const first = certificate.pair;
    expect(subjectOf(first)).toBe('CN=made here');
    clock.setWall(clock.now() + 334 * day);
    await look();
    expect(certificate.pair).toBe(first);
    clock.setWall(clock.now() + 2 * day);
    await look();
    await look();
    expect(told).toEqual(['CN=made here']);
    expect(certificate.pair).not.toEqual(first);
    expect(Date.parse(new X509Certificate(certificate.pair.cert).validTo)).toBeGreaterThan(clock.now() + 360 * day);
  });

  it('leaves no timer behind', async () => {
    await open();
    stop.abort();
    expect(clock.timers).toBe(0);
  });
});
