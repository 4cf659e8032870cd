/** Longer than most files: one story, told in order. */
import { Deployment, EventsEvent, Lease, Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { memcachedOperator, operatorDeployment, type RenderedManifest, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { GuardedFolder } from '../cluster/guarded-folder.js';
import { type ControllerProcess, startController } from './controller-process.js';
import { Flight, flightOperator } from './flight.js';
import { Installation } from './installation.js';
import { renderDist } from './rendered.js';
import { writeAccountKubeconfig } from './service-account.js';
import type { Door, StoryCluster } from './story-cluster.js';
import { type Sight, Witness } from './witness.js';

/** One step of the story. `run` returns the line that says what was seen; it throws when it was not seen. */
export interface Step {
  readonly title: string;
  run(progress: (line: string) => void): Promise<string>;
}

/** The compiled entries that the story runs as processes of their own. */
export interface Programs {
  readonly render: string;
  readonly controller: string;
}

const secondsUntilGivenUp = 60;
const [deployment, service] = ['memcached-sample-server', 'memcached-sample-service'];
/** Whoever interferes. */
const somebody = { fieldManager: 'somebody' };

/** The story of the main job, and what it holds open meanwhile. It is the same on every cluster. */
export class Story {
  readonly #folder = new GuardedFolder();
  #rendered: readonly RenderedManifest[] | undefined;
  #cluster: StoryCluster | undefined;
  #admin: HttpCluster | undefined;
  #installation: Installation | undefined;
  #controller: ControllerProcess | undefined;
  #deployments: Witness | undefined;
  #services: Witness | undefined;
  #flight: Flight | undefined;

  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;

  constructor(
    private readonly door: Door,
    private readonly programs: Programs,
    stop: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([stop, this.#ended.signal]);
  }

  steps(): readonly Step[] {
    return [
      { title: 'Rendering dist/', run: () => this.#render() },
      { title: this.door.title, run: (progress) => this.#openCluster(progress) },
      { title: 'Applying dist/ in wave order, as Argo CD would', run: (progress) => this.#install(progress) },
      { title: 'Starting the controller', run: () => this.#startController() },
      { title: 'Applying the sample', run: () => this.#applySample() },
      { title: `Somebody scales ${deployment} to 9 replicas`, run: () => this.#scale() },
      { title: `Somebody deletes ${service}`, run: () => this.#delete() },
      { title: 'Booking a flight, outside the cluster', run: () => this.#book() },
    ];
  }

  /** How to go on by hand, once the story has been told. */
  farewell(): string {
    return [
      '',
      'The cluster and the controller stay up until Ctrl-C. In another terminal:',
      '',
      ...need(this.#cluster).setup.map((line) => `  ${line}`),
      '  kubectl get memcached,deployments,services',
      '  kubectl scale memcached memcached-sample --replicas=5',
      `  kubectl delete deployment ${deployment}; kubectl get deployments`,
      '',
      `The controller's log: ${this.#controller?.logFile}`,
      '',
    ].join('\n');
  }

  /** The end of the controller's log, for when a step failed. */
  evidence(): string {
    return this.#controller?.lastLines(20) ?? '';
  }

  /** Takes away what was installed, ends everything, and removes every file. Rejects when something stays behind. */
  async end(): Promise<void> {
    this.#ended.abort(new Error('the story has ended'));
    try {
      // While its operator still runs: it may have to agree.
      await this.#installation?.remove('FlightTicket');
      await this.#installation?.remove('Memcached');
      await this.#endControllers();
      await this.#installation?.remove();
    } finally {
      await this.#endControllers();
      await this.#admin?.close();
      await this.#cluster?.close();
      await this.#folder.clear();
    }
  }

  async #render(): Promise<string> {
    const all = await renderDist(this.programs.render);
    const parts = [memcachedOperator, flightOperator, 'Memcached', 'FlightTicket'];
    this.#rendered = all.filter(({ folder, manifest }) => [folder, manifest.kind].some((part) => parts.includes(part)));
    return `Rendered dist/: ${all.length} files`;
  }

  async #openCluster(progress: (line: string) => void): Promise<string> {
    this.#cluster = await this.door.open(this.#folder.path, progress);
    this.#admin = connect(this.#cluster.config);
    this.#installation = new Installation(this.#admin);
    const { gitVersion } = (await this.#admin.request('GET', '/version')) as { gitVersion: string };
    return `Kubernetes ${gitVersion} ${this.#cluster.where}`;
  }

  async #install(progress: (line: string) => void): Promise<string> {
    const rendered = need(this.#rendered);
    const installation = need(this.#installation);
    await installation.refusePresent(rendered.map(({ manifest }) => manifest));
    const waves = await installation.applyInWaves(
      rendered.filter(({ isSample }) => !isSample).map(withoutPods),
      progress,
    );
    return `Applied dist/ in ${waves} waves, as Argo CD would`;
  }

  async #startController(): Promise<string> {
    const rendered = operatorDeployment(need(this.#rendered));
    const account = serviceAccountOf(rendered);
    const kubeconfig = this.#folder.file('controller.kubeconfig');
    await writeAccountKubeconfig(kubeconfig, need(this.#admin), need(this.#cluster).config, account);
    const leases = await Witness.of(need(this.#admin), Lease, account.namespace, this.#signal);
    this.#controller = startController({
      program: this.programs.controller,
      deployment: rendered,
      kubeconfig,
      folder: this.#folder,
    });
    const leads = leases.sees(rendered.metadata.name, isHeld);
    await this.#within(leads, `the controller to lead, by Lease/${account.namespace}/${rendered.metadata.name}`);
    return `The controller runs here as ServiceAccount ${account.namespace}/${account.name}, with the rendered RBAC only`;
  }

  async #applySample(): Promise<string> {
    const admin = need(this.#admin);
    const { namespace } = admin;
    this.#deployments = await Witness.of(admin, Deployment, namespace, this.#signal);
    this.#services = await Witness.of(admin, Service, namespace, this.#signal);
    const samples = need(this.#rendered).filter(({ manifest }) => manifest.kind === 'Memcached');

    const start = performance.now();
    const seen = Promise.all([this.#deployments.sees(deployment, exists), this.#services.sees(service, exists)]);
    await need(this.#installation).applyInWaves(samples, () => {});
    const moments = (await this.#within(seen, `the children of Memcached/${namespace}/memcached-sample`)).flat();
    return `Applied the sample: Deployment and Service were there ${milliseconds(start, Math.max(...moments))} after`;
  }

  async #scale(): Promise<string> {
    const admin = need(this.#admin);
    const seen = need(this.#deployments).sees(deployment, replicas(9), replicas(3));
    const target = { namespace: admin.namespace, name: deployment };
    const patch = { type: 'merge', body: { spec: { replicas: 9 } } } as const;
    await admin.patch(Deployment, target, patch, { ...somebody, subresource: 'scale' });
    const [changed = 0, back = 0] = await this.#within(seen, `${deployment} to have 3 replicas again`);
    const time = milliseconds(changed, back);
    return `Somebody scaled Deployment ${deployment} from 3 to 9: back after ${time}. ${await this.#told(deployment)}`;
  }

  async #delete(): Promise<string> {
    const admin = need(this.#admin);
    const seen = need(this.#services).sees(service, (object) => object === undefined, exists);
    await admin.delete(Service, { namespace: admin.namespace, name: service });
    const [gone = 0, back = 0] = await this.#within(seen, `${service} to exist again`);
    return `Somebody deleted Service ${service}: recreated after ${milliseconds(gone, back)}. Who deletes leaves no name`;
  }

  /** What the controller says of a correction, in its event: the field, both values, and who wrote it when. */
  #told(child: string): Promise<string> {
    return eventually(async () => {
      const { items } = await need(this.#admin).list(EventsEvent, { namespace: need(this.#admin).namespace });
      const event = items.find(({ reason, note }) => reason === 'DriftCorrected' && String(note).includes(child));
      if (!event) throw new Error(`no event tells what was put back of ${child}`);
      return `${event['reason']} ${event['note']}`;
    }, secondsUntilGivenUp);
  }

  async #book(): Promise<string> {
    this.#flight = new Flight({
      admin: need(this.#admin),
      cluster: need(this.#cluster),
      installation: need(this.#installation),
      rendered: need(this.#rendered),
      program: this.programs.controller,
      folder: this.#folder,
      signal: this.#signal,
    });
    return this.#within(this.#flight.book(), 'the flight to be booked');
  }

  async #endControllers(): Promise<void> {
    await this.#controller?.stop();
    await this.#flight?.end();
  }

  /** `seen`, or an error that says what was not seen. */
  async #within<T>(seen: Promise<T>, what: string): Promise<T> {
    const controller = need(this.#controller);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`waited ${secondsUntilGivenUp} s in vain for ${what}`)),
        secondsUntilGivenUp * 1000,
      );
      this.#signal.addEventListener('abort', () => reject(this.#signal.reason), { once: true });
    });
    limit.catch(() => {});
    try {
      return await Promise.race([seen, limit, controller.ended]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const isHeld = (lease: Sight): boolean =>
  Boolean((lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity);

const exists = (object: Sight): boolean => object !== undefined;

const replicas = (count: number) => (object: Sight) =>
  (object as (KubeObject & { spec?: { replicas?: number } }) | undefined)?.spec?.replicas === count;

const milliseconds = (from: number, to: number): string => `${Math.max(1, Math.round(to - from))} ms`;

/** The controller runs on this machine, in the place of its Pod. */
function withoutPods(rendered: RenderedManifest): RenderedManifest {
  const { manifest } = rendered;
  if (manifest.kind !== 'Deployment') return rendered;
  const { spec } = manifest as Manifest & { readonly spec: object };
  return { ...rendered, manifest: { ...manifest, spec: { ...spec, replicas: 0 } } as Manifest };
}

/** What an earlier step left. Steps run in order, so its absence is a mistake in this file. */
function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the story ran before the step that it builds on');
  return value;
}
