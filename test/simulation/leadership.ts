import type { Revision } from '../../src/embedded/object-store.js';
import type { Clock } from '../../src/kube/clock.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import type { Calm } from './calm.js';
import type { ClockRates } from './clock-rates.js';
import type { Writer } from './witnessed-cluster.js';

/** How long a Lease of the production code is good for, and how long after a renewal its holder takes a write back. */
const leaseMilliseconds = 15_000;
const writeMilliseconds = 7_000;
/** A call takes no longer than this on its way there, unless all stands still. Nobody can take back what is on its way. */
const wayMilliseconds = 1_500;
/** Nobody has reason for a Lease to change hands so often in so long. */
const mostHandovers = { times: 20, milliseconds: 60_000 };

/** When a call was sent, and whether its sender held the Lease then. */
export interface Sent {
  readonly at: number;
  readonly isHolder: boolean;
}

interface Holder {
  readonly identity: string;
  /** Which life of a replica it is; absent for somebody else. */
  readonly life?: number;
  /** Since the last renewal. */
  readonly at: number;
}

/** From whom somebody took the Lease by force, which no Lease can prevent. */
interface Robbery {
  readonly life: number | undefined;
  readonly renewedAt: number;
  /** When another got it, of whom the watch tells in the same moment; `never` where no watch does. */
  toldAt?: number | 'never';
}

export interface LeadershipOptions {
  readonly clock: Clock;
  readonly clocks: ClockRates;
  readonly calm: Calm;
  /** True while a replica's watch of the Lease is open. */
  follows(replica: string): boolean;
}

/** Who may write by the Lease, as the API server has it. */
export class Leadership {
  #holder: Holder | undefined;
  /** By replica, when it got the Lease, or renewed it, last. */
  readonly #renewedAt = new Map<string, number>();
  /** By replica, when the Lease was taken from it. */
  readonly #robbed = new Map<string, Robbery>();
  /** When all machines woke up that had stood still together. */
  readonly #leaps: number[] = [];
  /** When the Lease went to another than before. */
  readonly #handovers: number[] = [];

  constructor(private readonly options: LeadershipOptions) {}

  /** All machines stood still, the server's too, and with them what was on its way. */
  leapt(): void {
    this.#leaps.push(this.options.clock.monotonic());
  }

  /** The server was restored: the Lease is as it was in the backup, which nobody but its watch tells whoever holds it now. */
  goesOnFrom(before: Leadership): void {
    this.#holder = before.#holder;
    this.#leaps.push(...before.#leaps);
    for (const [replica, at] of before.#renewedAt) this.#renewedAt.set(replica, at);
    for (const [replica, robbery] of before.#robbed) this.#robbed.set(replica, robbery);
  }

  /** The Lease was changed, by a controller or by somebody. Returns what is wrong about it. */
  changed({ type, object }: Revision, writer: Writer | undefined): string | undefined {
    const at = this.options.clock.monotonic();
    const identity = type === 'DELETED' ? '' : holderOf(object);
    const before = this.#holder;
    if (!writer && before && before.identity !== identity) {
      this.#robbed.set(before.identity, { life: before.life, renewedAt: before.at });
    }
    // Whoever else writes it changes nothing about who it is that holds it.
    const life = writer?.life ?? (before?.identity === identity ? before.life : undefined);
    this.#holder = { identity, at, ...(life === undefined ? {} : { life }) };
    this.#renewedAt.set(identity, at);
    this.#robbed.delete(identity);
    if (identity === '') return undefined;
    const { calm, follows } = this.options;
    for (const [replica, robbery] of this.#robbed) {
      robbery.toldAt ??= calm.isNow && follows(replica) ? at : 'never';
    }
    return identity === before?.identity ? undefined : this.#handedOver(identity, at);
  }

  holds({ replica }: Writer): boolean {
    const { identity, at } = this.#holder ?? { identity: '', at: 0 };
    return identity === replica && this.options.clock.monotonic() - at < leaseMilliseconds;
  }

  /** What is wrong about a write that reaches the server now. */
  violationOf(writer: Writer, sent: Sent | undefined): string | undefined {
    if (this.holds(writer) || this.#isBeyondRecall(writer, sent) || this.isUnaware(writer, sent)) return undefined;
    const held = this.#holder;
    const whose = held?.identity === writer.replica ? 'its own, which expired' : `held by "${held?.identity ?? ''}"`;
    return `wrote without the Lease, which is ${whose}`;
  }

  /**
   * True of a write by whoever cannot know yet that the Lease went from it to another by force. Its watch tells in the same
   * moment; where that does not, or calls take time, no write is sent for longer than is good without a renewal.
   */
  isUnaware({ replica, life }: Writer, sent: Sent | undefined): boolean {
    const robbery = this.#robbed.get(replica);
    if (!robbery || robbery.life !== life || !sent) return false;
    const at = this.options.clock.monotonic();
    if (typeof robbery.toldAt === 'number' && this.options.calm.isNow) return at === robbery.toldAt;
    return at - robbery.renewedAt < writeMilliseconds + wayMilliseconds || this.#isFromBeforeLeap(sent);
  }

  /** True of a write that its sender was free to send, and that came too late though it was given up in time. */
  #isBeyondRecall({ replica, life }: Writer, sent: Sent | undefined): boolean {
    const at = this.options.clock.monotonic();
    if (!sent?.isHolder || sent.at === at) return false;
    // Its sender died, and who came back under the name was robbed meanwhile.
    const robbed = this.#robbed.get(replica)?.life;
    if (robbed !== undefined && life < robbed && at - sent.at <= wayMilliseconds) return true;
    // It arrives when all machines go on that stood still, as a call for the Lease may.
    if (this.#isFromBeforeLeap(sent)) return true;
    const renewedAt = this.#renewedAt.get(replica) ?? 0;
    // By the clock of whoever leads now the Lease had expired, which by a clock that runs right takes longer than that.
    const passed = this.options.clocks.passed(this.#holder?.identity ?? '', renewedAt);
    return at - renewedAt < writeMilliseconds + wayMilliseconds && passed >= leaseMilliseconds;
  }

  #isFromBeforeLeap(sent: Sent): boolean {
    return this.#leaps.some((leap) => leap >= sent.at);
  }

  #handedOver(identity: string, at: number): string | undefined {
    this.#handovers.push(at);
    const first = this.#handovers.at(-mostHandovers.times);
    if (first === undefined || at - first > mostHandovers.milliseconds) return undefined;
    this.#handovers.length = 0;
    return `the Lease changes hands without end, last to ${identity}`;
  }
}

function holderOf(lease: KubeObject): string {
  return (lease as { spec?: { holderIdentity?: string } }).spec?.holderIdentity ?? '';
}
