import { describe, expect, it } from '@jest/globals';
import {
  ConflictError,
  FieldConflict,
  ForbiddenError,
  InvalidError,
  RetryAfterError,
  TransportError,
} from '../../../src/client/api-error.js';
import { OperatorError, TerminalError } from '../../../src/kube/errors.js';
import { ConsentError } from '../../../src/runtime/author/consents.js';
import { outcomeOf } from '../../../src/runtime/outcome.js';
import { conditionsOf, messageOf, type Verdict } from '../../../src/runtime/status/status.js';
import { RefusedError } from '../../../src/runtime/writes/refused-error.js';
import { stored } from '../../drift/an-object.js';

const rbac = 'pods is forbidden: User "u" cannot create resource "pods" in API group "" in the namespace "prod"';
const failed = (error: Error, step: 'compose' | 'apply' | 'prune' = 'apply'): Verdict => ({
  type: 'failed',
  error,
  step,
});
const deployment = (availableReplicas: number) =>
  stored({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas },
  });

const job = (failed: 'True' | 'False') =>
  stored({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    status: { conditions: [{ type: 'Failed', status: failed, reason: 'BackoffLimitExceeded' }] },
  });
const waitsFor = (reason: string, isStalled: boolean) => ({ reason, message: 'Deployment/a waits', isStalled });

describe('the conditions', () => {
  it.each<[string, Verdict, string[]]>([
    ['all is well', { type: 'applied', children: [deployment(1)] }, ['Ready=True ReconciliationSucceeded']],
    ['there are no children', { type: 'applied', children: [] }, ['Ready=True ReconciliationSucceeded']],
    [
      'a child is not ready',
      { type: 'applied', children: [deployment(1), deployment(0)] },
      ['Ready=False Progressing', 'Reconciling=True Progressing'],
    ],
    [
      'a child has given up, whatever else rolls out',
      { type: 'applied', children: [deployment(0), job('True')] },
      ['Ready=False BackoffLimitExceeded', 'Stalled=True BackoffLimitExceeded'],
    ],
    [
      'a child waits for one that has given up',
      { type: 'applied', children: [job('True')], unmet: waitsFor('DependencyNotReady', false) },
      ['Ready=False BackoffLimitExceeded', 'Stalled=True BackoffLimitExceeded'],
    ],
    [
      'a child waits for one that is at work',
      { type: 'applied', children: [job('False')], unmet: waitsFor('DependencyNotReady', false) },
      ['Ready=False DependencyNotReady', 'Reconciling=True DependencyNotReady'],
    ],
    [
      'a person has to consent, though a child has given up',
      { type: 'applied', children: [job('True')], unmet: waitsFor('ConsentMissing', true) },
      ['Ready=False ConsentMissing', 'Stalled=True ConsentMissing'],
    ],
    [
      'a child has given up without a reason',
      {
        type: 'applied',
        children: [stored({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status: { phase: 'Failed' } })],
      },
      ['Ready=False HealthCheckFailed', 'Stalled=True HealthCheckFailed'],
    ],
    [
      "the author's code throws",
      failed(new TypeError('x'), 'compose'),
      ['Ready=False RenderFailed', 'Stalled=True RenderFailed'],
    ],
    [
      'RBAC forbids',
      failed(new ForbiddenError(rbac)),
      ['Ready=False RBACDenied', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'a quota or an admission plugin forbids',
      failed(new ForbiddenError('pods "a" is forbidden: exceeded quota: q')),
      ['Ready=False ApplyFailed', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'the server refuses a child',
      failed(new InvalidError('x')),
      ['Ready=False ApplyFailed', 'Stalled=True ApplyFailed'],
    ],
    [
      'another has the name',
      failed(new RefusedError('x')),
      ['Ready=False ApplyConflict', 'Stalled=True ApplyConflict'],
    ],
    [
      'another has the name, and is being deleted',
      failed(new RefusedError('x', true)),
      ['Ready=False ApplyConflict', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'a namespace does not accept a child',
      failed(new ConsentError('x')),
      ['Ready=False ConsentMissing', 'Stalled=True ConsentMissing'],
    ],
    [
      'others own fields',
      failed(new FieldConflict('x', [])),
      ['Ready=False ApplyConflict', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'the server is busy',
      failed(new RetryAfterError('x', 1)),
      ['Ready=False Timeout', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'the connection breaks',
      failed(new TransportError('x')),
      ['Ready=False ApplyFailed', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'the account may not grant what a child grants',
      failed(new ForbiddenError('user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:')),
      ['Ready=False RBACDenied', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'what is not desired cannot be deleted',
      failed(new TransportError('x'), 'prune'),
      ['Ready=False PruneFailed', 'Reconciling=True ProgressingWithRetry'],
    ],
    [
      'someone has to change something',
      failed(new TerminalError('x')),
      ['Ready=False ApplyFailed', 'Stalled=True ApplyFailed'],
    ],
  ])('when %s', (_, verdict, expected) => {
    const claims = conditionsOf(verdict, 7);
    expect(claims.map(({ type, status, reason }) => `${type}=${status} ${reason}`)).toEqual(expected);
    expect(claims.every(({ observedGeneration }) => observedGeneration === 7)).toBe(true);
  });

  it('say what to do, and no more than an event holds', () => {
    expect(messageOf(new OperatorError('it failed', { hint: 'try again' }))).toBe('it failed; try again');
    const messages = ['x', '→', '😀'].map((each) => messageOf(new Error(each.repeat(5000))));
    expect(messages.map((message) => Buffer.byteLength(message))).toEqual([1024, 1023, 1023]);
    expect(messages.join('')).not.toMatch(/\p{Surrogate}/u);

    const long = messageOf(new OperatorError('x'.repeat(5000), { hint: 'try again' }), 'and 2 more');
    expect(Buffer.byteLength(long)).toBe(1024);
    expect(long).toMatch(/^x{900,}…; try again; and 2 more$/);
  });

  it('have whole characters alone, whatever somebody threw', () => {
    const half = '😀'.slice(0, 1);
    expect(messageOf(new Error(`cannot ${half}`))).toBe('cannot \ufffd');
    expect(messageOf(new Error(half.repeat(5000)))).toBe(`${'\ufffd'.repeat(340)}…`);
  });

  it('are no longer than a condition holds, though a hundred children are fought over', () => {
    const difference = { path: 'x'.repeat(500), trail: [], desired: 1, observed: 2, by: undefined };
    const fight = { over: '', desired: '', rounds: 3, lastAt: 0, difference };
    const fights = Array.from({ length: 100 }, (_, index) => ({
      ref: { apiVersion: 'v1', kind: 'ConfigMap', name: `a-${index}` },
      fight,
    }));
    const fighting = conditionsOf({ type: 'applied', children: [], fights }, 1).find(({ type }) => type === 'Fighting');
    expect(Buffer.byteLength(fighting?.message ?? '')).toBe(32_768);
    expect(fighting?.message.slice(-2)).toBe('x…');
  });
});

describe('what comes after a reconcile', () => {
  it.each<[string, Verdict, number | undefined, object]>([
    ['nothing, when all is well', { type: 'applied', children: [] }, undefined, { type: 'done' }],
    [
      "another after the author's time",
      { type: 'applied', children: [] },
      60,
      { type: 'done', againAfterMilliseconds: 60_000 },
    ],
    ['a retry, when the store was stale', failed(new ConflictError('x')), 60, { type: 'retry' }],
    ["nothing, until another's goes", failed(new RefusedError('x')), undefined, { type: 'done', failure: 'terminal' }],
    [
      'another when the server says',
      failed(new RetryAfterError('x', 7)),
      undefined,
      { type: 'wait', milliseconds: 7000, failure: 'transient' },
    ],
    [
      'another in minutes, when the server refused',
      failed(new InvalidError('x')),
      undefined,
      { type: 'done', againAfterMilliseconds: 300_000, failure: 'terminal' },
    ],
    [
      "nothing, until a change, when the author's code throws",
      failed(new Error('x'), 'compose'),
      undefined,
      { type: 'done', failure: 'terminal' },
    ],
    [
      'a retry, when forbidden',
      failed(new ForbiddenError(rbac)),
      undefined,
      { type: 'retry', failure: 'transient', isShared: false },
    ],
    [
      'a retry that others may share, when the connection breaks',
      failed(new TransportError('x')),
      undefined,
      { type: 'retry', failure: 'transient', isShared: true },
    ],
  ])('is %s', (_, verdict, requeueAfterSeconds, expected) => {
    const { because: __, ...outcome } = { because: '', ...outcomeOf(verdict, requeueAfterSeconds) };
    expect(outcome).toEqual(expected);
  });
});
