import { join } from 'node:path';
import { isOfServer, RetryAfterError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import { type Clock, type Random, sleep } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { bareHost } from '../kube/url-port.js';
import { admissionPath, admissionSteps, asksFor, conversionPath } from '../kube/webhook.js';
import { AuthorTurn } from '../runtime/author/author-turn.js';
import type { TimeLimit } from '../runtime/author/time-limit.js';
import type { Breather } from '../runtime/process/breather.js';
import { heapLimit } from '../runtime/process/heap-limit.js';
import { BackOff } from '../runtime/queue/back-off.js';
import { type Log, wordsOfError } from '../runtime/telemetry/log.js';
import type { Telemetry } from '../runtime/telemetry/telemetry.js';
import { ToldTrouble } from '../runtime/telemetry/told-trouble.js';
import type { Tracing } from '../runtime/telemetry/tracing.js';
import { ServingCertificate } from '../tls/serving-certificate.js';
import { admissionHolder } from './admission-holder.js';
import { type AdmissionReview, isAdmissionReview, mutatingReview, validatingReview } from './admission-review.js';
import { CaBundle } from './ca-bundle.js';
import { conversionHolder } from './conversion-holder.js';
import { type ConversionReview, conversionReview, isConversionReview } from './conversion-review.js';
import { MarkSeals } from './mark-seals.js';
import { Renewal } from './renewal.js';
import type { ReviewedKind } from './reviewed-kind.js';
import { webhookCertificate } from './webhook-certificate.js';
import { type Review, WebhookServer } from './webhook-server.js';

export interface WebhooksOptions {
  readonly kinds: readonly ReviewedKind[];
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Default: nobody follows what happens. */
  readonly tracing?: Tracing | undefined;
  /** Where the controller lives, and the name of the Service and the Secret of its webhooks. */
  readonly namespace: string;
  readonly name: string;
  /** `:9443`, for instance. */
  readonly address: string;
  /** How the API server reaches them where that is not by the Service: `https://10.0.2.2:9443`. */
  readonly url?: string | undefined;
  /** Around what authors' functions compute. */
  readonly limit: TimeLimit;
  /** Reviews share the thread with all else. */
  readonly breather: Breather;
  /** A folder with `tls.crt` and `tls.key`, whose authority somebody else tells the API server. */
  readonly certificateFolder?: string | undefined;
}

/** The API server takes objects of 3 MiB; a review holds one, what it was, and a few words. */
const largestAdmission = 7 * 1024 * 1024;
/** The rest is for the stores. */
const heapForReviews = 1 / 3;

/** Webhooks that are served. */
export interface Webhooks {
  /** Resolves when nobody is answered any more, a moment after they were told to end. */
  readonly ended: Promise<void>;
}

/**
 * Serves the webhooks of `kinds` until `signal` aborts, and sees to it that the API server can verify them. Resolves when
 * they are served and the API server was told, for which it waits as long as that is away. Every replica serves, whoever
 * leads.
 *
 * Throws `OperatorError` when it cannot listen, and what the API server says that refuses the Secret of the certificate.
 */
export async function runWebhooks(options: WebhooksOptions, signal: AbortSignal): Promise<Webhooks> {
  const { address, log, kinds, telemetry, tracing, clock } = options;
  const room = heapLimit() * heapForReviews;
  const seals = new MarkSeals();
  const served = { address, reviews: reviewsOf(options, seals), room, log, telemetry, tracing, clock };
  if (options.certificateFolder !== undefined) {
    const certificate = await fromFolder(options, options.certificateFolder);
    seals.use(certificate.pair.key);
    const server = await WebhookServer.start({ ...served, pair: certificate.pair }, signal);
    certificate.watch(signal, {
      changed(pair) {
        seals.use(pair.key);
        server.show(pair);
      },
      failed: (error) => log.error('Failed to reload the certificate of webhooks', { error }),
    });
    return server;
  }
  const { cluster, random, namespace, name, url } = options;
  const names = url === undefined ? [] : [bareHost(new URL(url).hostname)];
  const certificate = { cluster, clock, namespace, name, names };
  const pair = await untilAnswered(() => webhookCertificate(certificate), options, signal);
  seals.use(pair.key);
  const server = await WebhookServer.start({ ...served, pair }, signal);
  const holders = [
    ...kinds.filter(({ isConvertible }) => isConvertible).map((kind) => conversionHolder(kind, { namespace, name })),
    ...admissionSteps
      .filter((step) => kinds.some((kind) => asksFor(step, kind)))
      .map((step) => admissionHolder(step, name, kinds)),
  ];
  const following = { cluster, clock, random, log, fieldManager: name, renew: () => renewal.now() };
  const bundles = holders.map((holder) => new CaBundle(holder, { ca: pair.ca, url }, following));
  const renewal = new Renewal(
    {
      clock,
      log,
      pair,
      find: () => webhookCertificate(certificate),
      tell: (ca) => Promise.all(bundles.map((bundle) => bundle.change({ ca, url }))),
      show(found) {
        seals.use(found.key);
        server.show(found);
      },
    },
    signal,
  );
  for (const bundle of bundles) void bundle.run(signal);
  await Promise.all(bundles.map((bundle) => bundle.told()));
  return server;
}

/** Asks again and again while the API server is away, or does not know us, as watches do. */
async function untilAnswered<T>(
  ask: () => Promise<T>,
  { clock, random, log }: Pick<WebhooksOptions, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<T> {
  const backOff = new BackOff({ firstSeconds: 1, mostSeconds: 30, jitter: 1, random });
  const trouble = new ToldTrouble(clock);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isOfServer(error)) throw error;
      if (trouble.failed(error)) log.warn('Failed to ask for the certificate of webhooks', wordsOfError(error));
      const asked = error instanceof RetryAfterError ? error.retryAfterSeconds * 1000 : 0;
      await sleep(clock, Math.max(asked, backOff.next()), signal);
    }
  }
}

/** What is answered, by path. Each answer is an author's code: it waits for its turn, and ends in time. */
function reviewsOf(
  { kinds, limit, breather, clock, log, tracing }: WebhooksOptions,
  seals: MarkSeals,
): Readonly<Record<string, Review>> {
  const turn = new AuthorTurn({ breather, clock, log, tracing });
  const answered = async (
    what: string,
    object: KubeObject | null | undefined,
    body: () => unknown,
  ): Promise<unknown> => {
    while (turn.rest !== undefined) await turn.rest;
    const { namespace, name } = object?.metadata ?? {};
    const told = { function: what, namespace, name };
    const rejected = (error: unknown) => log.error('Failed after a review had ended', { ...told, error });
    return turn.take(() =>
      limit(
        () => what,
        () => turn.run({ ...told, rejected }, body),
      ),
    );
  };
  const admissions = admissionSteps.flatMap((step) =>
    kinds
      .filter((kind) => asksFor(step, kind))
      .map((kind): [string, Review] => {
        const review = step === 'mutate' ? mutatingReview : validatingReview;
        return [
          admissionPath(step, kind),
          {
            largest: largestAdmission,
            takes: isAdmissionReview,
            answer(body, numbers) {
              const asked = body as AdmissionReview;
              return answered(`${step} of ${kind.kind}`, asked.request?.object, () => review(asked, kind, numbers));
            },
          },
        ];
      }),
  );
  return {
    ...Object.fromEntries(admissions),
    [conversionPath]: {
      // The objects of a whole list come at once, however many these are.
      largest: Number.POSITIVE_INFINITY,
      takes: isConversionReview,
      answer: (body, numbers) =>
        answered('a conversion', undefined, () => conversionReview(body as ConversionReview, kinds, numbers, seals)),
    },
  };
}

function fromFolder({ clock, name, namespace }: WebhooksOptions, folder: string): Promise<ServingCertificate> {
  return ServingCertificate.open({
    clock,
    subject: name,
    names: [`${name}.${namespace}.svc`],
    files: { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') },
  });
}
