/** Longer than most files: one mistake after the other. */
import type { Mistake } from './bundle.js';

/** A mistake that people make in controllers, which the simulation has to find. */
export interface Planted extends Mistake {
  readonly name: string;
  /** The kept schedule that finds it, where hardly any other does. */
  readonly kept?: string;
}

const runtime = (file: string) => `src/runtime/${file}.ts`;

export const planted: readonly Planted[] = [
  {
    name: 'acts on stores older than its own writes',
    file: runtime('writes/own-writes'),
    find: 'if (!isShown) return written;',
    replace: '',
  },
  {
    name: 'watches on from a version that is gone (410 ignored)',
    file: runtime('informer/informer'),
    find: 'this.#history.relist();\n      const wait = this.#isGone',
    replace: 'const wait = this.#isGone',
  },
  {
    name: 'gives up a watch after its first failure',
    file: runtime('informer/informer'),
    find: 'if (wait > 0) await sleep(this.options.clock, wait, signal).catch(() => {});',
    replace: 'if (wait > 0) return;',
  },
  {
    name: 'trusts a watch that says nothing',
    file: runtime('informer/silence-guard'),
    find: 'this.#cancel = this.clock.after(this.seconds * 1000, () => {',
    replace: 'this.#cancel = this.clock.after(this.seconds * 1e9, () => {',
  },
  {
    name: 'takes a list that failed for an empty one',
    file: runtime('informer/informer'),
    find: 'if (guard.signal.aborted && !signal.aborted) return;',
    replace:
      "if (guard.signal.aborted && !signal.aborted) return;\n      if (!guard.isComplete) await this.#replace(initial, this.#history.newest || '1', signal);",
  },
  {
    name: 'loses events',
    file: runtime('informer/informer'),
    find: "if (event.type === 'BOOKMARK') return;\n    const object",
    replace:
      "if (event.type === 'BOOKMARK' || Number(event.object.metadata.resourceVersion) % 9 === 0) return;\n    const object",
  },
  {
    name: 'believes a list from the past',
    file: runtime('informer/history'),
    find: "return resourceVersion !== '' && compareVersions(resourceVersion, this.#newest) < 0;",
    replace: 'return compareVersions(resourceVersion, this.#newest) < -1e9;',
  },
  {
    name: 'keeps in its store what a new list does not have',
    file: runtime('informer/store'),
    find: 'filter((key) => listed.versionOf(key) === undefined);',
    replace: 'filter((key) => listed.versionOf(key) === "none");',
  },
  {
    name: 'prunes though another child could not be applied',
    file: runtime('writes/carry-out'),
    find: 'return this.#unmet || this.#executed.some(({ error }) => error !== undefined)',
    replace: 'return this.#unmet',
  },
  {
    name: 'prunes on the word of a store that is behind',
    file: runtime('confirmation'),
    find: 'this.#isConfirmed ??= await isAsKnown(',
    replace: 'this.#isConfirmed ??= true || await isAsKnown(',
  },
  {
    name: 'prunes on the word of inputs that are behind',
    file: runtime('confirmation'),
    find: 'lacksAnyOf(await desiredNow(this.signal), steps)',
    replace: 'false',
  },
  {
    name: 'writes an older edit over what another wrote for a later one',
    file: runtime('confirmation'),
    find: 'if (writes.isVouched(key)) return;',
    replace: 'if (key) return;',
  },
  {
    name: 'says of one what it saw of another of its name',
    file: runtime('status/status'),
    find: 'metadata: { ...placeOf({ name, namespace }), resourceVersion }',
    replace: 'metadata: placeOf({ name, namespace })',
    kept: 'a-status-of-one-that-was-made-anew',
  },
  {
    name: 'takes what no watch has told yet for a failure',
    file: runtime('after-round'),
    find: 'queue.lookAgain(key, outcome.because, work)',
    replace: 'queue.retry(key, outcome.because, work)',
    kept: 'a-failure-after-long-waits-for-news',
  },
  {
    name: 'says in the same round again what the server asked to wait with',
    file: runtime('patience'),
    find: 'if (left) throw left;',
    replace: 'if (left) void left;',
    kept: 'a-status-that-is-said-twice-in-a-round',
  },
  {
    name: 'takes what a leader before it wrote for its own',
    file: 'src/drift/remembered.ts',
    find: 'isAnothers || last.writes !== ownership.writes',
    replace: 'last.writes !== ownership.writes',
    kept: 'a-robbed-leader-in-the-second-of-the-next',
  },
  {
    name: 'puts a status back as often as it is written over',
    file: runtime('status/status-fights'),
    find: 'roundsOfFight: 2,',
    replace: 'roundsOfFight: Number.POSITIVE_INFINITY,',
    kept: 'a-status-that-two-put-back',
  },
  {
    name: 'prunes nothing that it has not made or seen wanted itself, as when a version before it did',
    file: 'src/drift/plan.ts',
    find: '.filter((object) => belongsTo(owner, object) && !wanted.has(keyOf(refOf(object))))',
    replace:
      '.filter((object) => belongsTo(owner, object) && !wanted.has(keyOf(refOf(object))) && input.remembered.has(object.metadata.uid))',
  },
  {
    name: 'takes what it finds at its start for what it composes',
    file: 'src/drift/plan.ts',
    find: 'const isCurrent = applied === undefined || applied === wantedHash || applied === hash;',
    replace:
      'const isCurrent = last === undefined || applied === undefined || applied === wantedHash || applied === hash;',
    kept: 'a-value-of-another-version',
  },
  {
    name: 'lets nobody in who waits for a turn in the rollout',
    file: runtime('rollout'),
    find: 'if (free-- <= 0) return;',
    replace: 'if (free-- <= 9) return;',
    kept: 'a-turn-in-the-rollout',
  },
  {
    name: 'watches on from a version that a restored server has not got to',
    file: runtime('informer/informer'),
    find: 'if (resourceVersion !== undefined) this.#loseHistory(resourceVersion);',
    replace: '',
  },
  {
    name: 'writes to the children of what is suspended',
    file: runtime('reconciler'),
    find: 'if (!isGoing && isSuspended(cr)) return',
    replace: 'if (!isGoing && isSuspended(cr) && run.reasons.length < 0) return',
    kept: 'an-edit-of-what-is-suspended',
  },
  {
    name: 'does not look again when a mode has ended',
    file: runtime('fulfilment'),
    find: "againAt(outcome, modeUntil, clock.now(), 'the mode that was set has ended')",
    replace: 'outcome',
  },
  {
    name: 'makes what is missing though that is only to be reported',
    file: 'src/drift/plan.ts',
    find: "if (mode === 'enforce') return { type: 'create', manifest: withAppliedHash(desired, hash) };",
    replace: "if (mode !== 'ignore') return { type: 'create', manifest: withAppliedHash(desired, hash) };",
  },
  {
    name: 'prunes what is to stay',
    file: 'src/drift/plan.ts',
    find: "type: removal === 'delete' ? 'prune' : 'retain', observed, ...ties }",
    replace: "type: 'prune', observed, ...ties }",
  },
  {
    name: 'leaves on what it adopts what was there before',
    file: 'src/drift/plan.ts',
    find: 'const inherited = adopted ? inheriting(observed, manager, isTool, kept) : heir;',
    replace: 'const inherited = heir;',
    kept: 'an-object-that-was-there-before',
  },
  {
    name: 'does not make anew what cannot be changed',
    file: runtime('writes/carry-out'),
    find: 'adopted ? [] : this.workshop.operator.recreate)',
    replace: '[])',
    kept: 'a-child-that-cannot-be-changed',
  },
  {
    name: 'makes something outside before anything keeps the custom resource',
    file: runtime('external/externals'),
    find: "if (mode === 'enforce') held = await addFinalizer(cr, writer);",
    replace: '',
  },
  {
    name: 'lets a custom resource go though what it has outside could not be removed',
    file: runtime('external/externals'),
    find: '(call) => external.remove(frozen(cr), call), {',
    replace: '(call) => external.remove(frozen(cr), call).catch(() => {}), {',
    kept: 'a-seat-that-could-not-be-given-back',
  },
  {
    name: 'does not look again at what is outside',
    file: runtime('fulfilment'),
    find: 'const polls = [operator.requeueAfterSeconds, outside.pollSeconds]',
    replace: 'const polls = [operator.requeueAfterSeconds]',
    kept: 'a-seat-that-the-service-forgot',
  },
  {
    name: 'takes what is refused with 403 for refused for good',
    file: runtime('outcome'),
    find: 'if (error instanceof RefusedError) return',
    replace: "if (error instanceof RefusedError || error.name === 'ForbiddenError') return",
    kept: 'a-create-that-is-refused-once',
  },
  {
    name: 'forgets its own writes when it asks how new the server is',
    file: runtime('informer/history'),
    find: 'this.#written = latest(this.#written, version);',
    replace: '',
    kept: 'a-write-that-a-restored-server-does-not-have',
  },
  {
    name: 'does not prune',
    file: 'src/drift/plan.ts',
    find: "if (mode === 'enforce') return { type: removal === 'delete' ? 'prune' : 'retain', observed, ...ties };",
    replace: "if (mode === 'enforce') return { type: 'retain', observed, ...ties };",
  },
  {
    name: 'tells the status by a store that has not seen its writes',
    file: runtime('writes/newest-children'),
    find: 'const newest = isLater ? answer : known;',
    replace: 'const newest = known ?? answer;',
  },
  {
    name: 'overwrites the objects of others',
    file: 'src/drift/plan.ts',
    find: 'if (adopted && !isAdoptable(observed, owner, adoption, [manager, ...formerly])) {',
    replace: 'if (adopted && observed === undefined) {',
  },
  {
    name: 'takes a recreated custom resource for the old one',
    file: 'src/kube/owner-reference.ts',
    find: 'return controllerOf(object)?.uid === owner.uid;',
    replace:
      'return controllerOf(object)?.name === (owner as { name?: string }).name || controllerOf(object)?.uid === owner.uid;',
  },
  {
    name: 'does not wait for the object of another to go',
    file: runtime('operator-loop'),
    find: 'for (const key of reconciler.waitingFor(change.object)) ask(key, reason);',
    replace: '',
  },
  {
    name: 'does not notice that a child was taken from its owner',
    file: runtime('operator-loop'),
    find: 'if (before !== undefined && before !== owner) ask(before, reason);',
    replace: '',
  },
  {
    name: 'does not notice that an input is one no more',
    file: runtime('author/read-inputs'),
    find: "for (const object of change.type === 'updated' ? [change.object, change.before] : [change.object]) {",
    replace: 'for (const object of [change.object]) {',
  },
  {
    name: 'keeps a field that is desired no more',
    file: runtime('writes/execute'),
    find: 'const found = step.fold || claim.length > 0 ?',
    replace: 'const found = claim.length > 0 ?',
  },
  {
    name: 'ignores Retry-After',
    file: runtime('outcome'),
    find: 'const milliseconds = error.retryAfterSeconds * 1000;',
    replace: 'const milliseconds = error.retryAfterSeconds;',
  },
  {
    name: 'never resets its back-off',
    file: runtime('after-round'),
    find: "if (outcome.type !== 'retry') queue.forget(key);\n  else if (outcome.failure",
    replace: 'if (outcome.failure',
  },
  {
    name: 'forgets what was added while it worked',
    file: runtime('queue/work-queue'),
    find: 'if (again && isNews) this.#addNow(key, again);',
    replace: '',
  },
  {
    name: 'works on one key twice at once',
    file: runtime('queue/work-queue'),
    find: 'if (this.#running.has(key)) {',
    replace: 'if (this.#running.has(key) && this.#ready.size < 0) {',
  },
  {
    name: 'takes a Lease that another holds',
    file: runtime('lease/leader-election'),
    find: "if (holder !== '' && holder !== identity && !isExpired) return holder;",
    replace: '',
  },
  {
    name: 'does not watch who takes its Lease',
    file: runtime('lease/leader-election'),
    find: "if (this.#leads ? !this.#isOurs(spec) : holder === '') this.#tellNews();",
    replace: "if (!this.#leads && holder === '') this.#tellNews();",
  },
  {
    name: 'leads on when another took its Lease',
    file: runtime('lease/leader-election'),
    find: 'if (holder !== identity) fail(',
    replace: 'if (holder === undefined) fail(',
  },
  {
    name: 'writes on when its Lease is not renewed (no fencing)',
    file: runtime('lease/leader-only'),
    find: 'while (leadership.left <= 0) await leadership.renewed();',
    replace: 'if (leadership.left <= 0) return write(options);',
  },
  {
    name: 'trusts that clocks of two machines run alike',
    file: 'src/kube/lease-timings.ts',
    find: 'return Math.min((leaseSeconds * 7) / 15, renewSeconds * 0.7);',
    replace: 'return renewSeconds;',
  },
  {
    name: 'gives the Lease back while an event is being written',
    file: runtime('queue/aside'),
    find: 'await this.#underWay;\n    for (let next',
    replace: 'for (let next',
    kept: 'an-event-on-its-way-as-the-lease-is-given-back',
  },
  {
    name: 'does nothing about a status that could not be written',
    file: runtime('conclusions'),
    find: "return next({ type: 'retry', because: 'the status could not be written', failure: 'transient' });",
    replace: "return { type: 'done' };",
  },
  {
    name: 'takes an object that exists for its own create',
    file: runtime('writes/execute'),
    find: 'object: await cluster.create(resource, step.manifest, write) };',
    replace:
      "object: await cluster.create(resource, step.manifest, write).catch((error: Error) => { if (error.name !== 'AlreadyExistsError') throw error; return cluster.get(resource, target, { signal }); }) };",
  },
  {
    name: 'applies its children at every look',
    file: 'src/drift/plan.ts',
    find: 'if (isCurrent && isUntouched) return',
    replace: 'if (isCurrent && isUntouched && observed === undefined) return',
  },
  {
    name: 'makes a child again for an owner that is gone',
    file: runtime('children/recreations'),
    find: 'if (again.length === 0) return undefined;',
    replace: 'if (again.length >= 0) return undefined;',
  },
  {
    name: 'takes any change of an object that it wrote for its own',
    file: runtime('writes/echoes'),
    find: 'if (answer === resourceVersion) return this.#awaiting.has(key);',
    replace: 'if (answer !== undefined) return this.#awaiting.has(key);',
  },
  {
    name: 'does not look again at what came and went between two lists',
    file: runtime('operator-loop'),
    find: 'for (const key of echoes.unheard()) ask(',
    replace: 'for (const key of [] as string[]) ask(',
  },
  {
    name: 'takes what was asked for meanwhile for an echo',
    file: runtime('writes/echoes'),
    find: 'if (due === undefined || due.isAsked || due.open.size > 0) return true;',
    replace: 'if (due === undefined || due.open.size > 0) return true;',
  },
  {
    name: 'deletes by name, whatever has it now',
    file: runtime('writes/execute'),
    find: '.delete(resource, target, { uid, resourceVersion, propagationPolicy',
    replace: '.delete(resource, target, { propagationPolicy',
  },
  {
    name: 'deletes what somebody else took over in the same moment',
    file: runtime('writes/execute'),
    find: '.delete(resource, target, { uid, resourceVersion, propagationPolicy',
    replace: '.delete(resource, target, { uid, propagationPolicy',
  },
  {
    name: 'keeps no custom resource until what is far from it is gone',
    file: runtime('children/far-children'),
    find: 'isHeld ? await addFinalizer(cr, { cluster, resource, manager, signal }) : cr;',
    replace: 'cr;',
  },
  {
    name: 'takes a far child for gone on the word of a late store',
    file: runtime('children/far-children'),
    find: '!stored && this.#sightings.isGone(key, ref) &&',
    replace: '!stored &&',
    kept: 'a-far-child-that-was-made-again-unseen',
  },
  {
    name: 'writes where nobody consents',
    file: runtime('author/consents'),
    find: 'if (consents(this.#namespace(key, namespace), acceptFrom, cr.metadata.namespace!)) return undefined;',
    replace: 'if (this.#namespace(key, namespace)) return undefined;',
  },
  {
    name: 'makes a far child that a late store desires',
    file: runtime('confirmation'),
    find: 'if (step.manifest.metadata.ownerReferences === undefined) return true;',
    replace: 'if (step.manifest.metadata.ownerReferences === undefined) return false;',
    kept: 'a-far-child-of-an-edit-that-is-past',
  },
  {
    name: 'does not look again when a kind is served again',
    file: runtime('operator-loop'),
    find: 'kind.subscribeServed(() => askAll(',
    replace: 'kind.subscribeServed(() => log.debug(',
  },
];
