import { Deployment, Service } from '../../imports/k8s.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.js';
import { applyInWaves, operatorDeployment, type RenderedManifest } from '../cluster/dist.js';
import { connectAsAdmin } from './admin.js';
import { type ControllerProcess, startController } from './controller-process.js';
import { renderDist } from './rendered.js';
import { type Sight, Witness } from './witness.js';

/** One step of the story. `run` returns the line that says what was seen; it throws when it was not seen. */
export interface Step {
  readonly title: string;
  run(progress: (line: string) => void): Promise<string>;
}

const secondsUntilGivenUp = 60;
const [deployment, service] = ['memcached-sample-server', 'memcached-sample-service'];

/** The story of the main job, and what it holds open meanwhile. */
export class Story {
  #plane: ControlPlane | undefined;
  #admin: HttpCluster | undefined;
  #controller: ControllerProcess | undefined;
  #rendered: readonly RenderedManifest[] | undefined;
  #deployments: Witness | undefined;
  #services: Witness | undefined;

  readonly #ended = new AbortController();
  readonly #signal: AbortSignal;

  constructor(stop: AbortSignal) {
    this.#signal = AbortSignal.any([stop, this.#ended.signal]);
  }

  steps(): readonly Step[] {
    return [
      { title: 'Rendering dist/', run: () => this.#render() },
      { title: 'Starting a Kubernetes control plane', run: (progress) => this.#startCluster(progress) },
      { title: 'Applying dist/ in wave order, as Argo CD would', run: (progress) => this.#install(progress) },
      { title: 'Starting the controller', run: () => this.#startController() },
      { title: 'Applying the sample', run: () => this.#applySample() },
      { title: `Someone runs: kubectl scale deployment ${deployment} --replicas=9`, run: () => this.#scaleByHand() },
      { title: `Someone runs: kubectl delete service ${service}`, run: () => this.#deleteByHand() },
    ];
  }

  /** How to go on by hand, once the story has been told. */
  farewell(): string {
    return [
      '',
      'The cluster and the controller stay up until Ctrl-C. In another terminal:',
      '',
      `  export KUBECONFIG=${this.#plane?.kubeconfig}`,
      `  export PATH=${this.#plane?.binaries}:$PATH`,
      '  kubectl get memcached',
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

  async end(): Promise<void> {
    this.#ended.abort(new Error('the story has ended'));
    await this.#controller?.stop();
    await this.#admin?.close();
    await this.#plane?.stop();
  }

  async #render(): Promise<string> {
    this.#rendered = await renderDist();
    return `Rendered dist/: ${this.#rendered.length} files`;
  }

  async #startCluster(progress: (line: string) => void): Promise<string> {
    const plane = await startControlPlane({ controllerManager: true, progress });
    this.#plane = plane;
    this.#admin = await connectAsAdmin(plane);
    return `Started Kubernetes ${plane.version} at ${plane.url}`;
  }

  async #install(progress: (line: string) => void): Promise<string> {
    const manifests = need(this.#rendered);
    const waves = await applyInWaves(
      need(this.#plane),
      manifests.filter(({ isSample }) => !isSample),
      progress,
    );
    return `Applied dist/ in ${waves} waves, as Argo CD would`;
  }

  async #startController(): Promise<string> {
    const deployment = operatorDeployment(need(this.#rendered));
    this.#controller = await startController(need(this.#plane), deployment, this.#signal);
    return `The controller runs as ServiceAccount ${this.#controller.serviceAccount}, with the rendered RBAC only`;
  }

  async #applySample(): Promise<string> {
    const admin = need(this.#admin);
    this.#deployments = await Witness.of(admin, Deployment, 'default', this.#signal);
    this.#services = await Witness.of(admin, Service, 'default', this.#signal);
    const samples = need(this.#rendered).filter(({ isSample }) => isSample);

    const start = performance.now();
    const seen = Promise.all([this.#deployments.sees(deployment, exists), this.#services.sees(service, exists)]);
    await applyInWaves(need(this.#plane), samples, () => {});
    const moments = (await this.#within(seen, 'the children of Memcached/default/memcached-sample')).flat();
    return `Applied the sample: Deployment and Service were there ${milliseconds(start, Math.max(...moments))} after`;
  }

  async #scaleByHand(): Promise<string> {
    const witness = need(this.#deployments);
    const seen = witness.sees(deployment, replicas(9), replicas(3));
    await need(this.#plane).kubectl(['scale', 'deployment', deployment, '--replicas=9']);
    const [changed = 0, back = 0] = await this.#within(seen, `${deployment} to have 3 replicas again`);
    return `Someone scaled Deployment/default/${deployment} from 3 to 9: back after ${milliseconds(changed, back)}`;
  }

  async #deleteByHand(): Promise<string> {
    const witness = need(this.#services);
    const seen = witness.sees(service, (object) => object === undefined, exists);
    await need(this.#plane).kubectl(['delete', 'service', service, '--wait=false']);
    const [gone = 0, back = 0] = await this.#within(seen, `${service} to exist again`);
    return `Someone deleted Service/default/${service}: recreated after ${milliseconds(gone, back)}`;
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
    try {
      return await Promise.race([seen, limit, controller.ended]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const exists = (object: Sight): boolean => object !== undefined;

const replicas = (count: number) => (object: Sight) =>
  (object as (KubeObject & { spec?: { replicas?: number } }) | undefined)?.spec?.replicas === count;

const milliseconds = (from: number, to: number): string => `${Math.max(1, Math.round(to - from))} ms`;

/** What an earlier step left. Steps run in order, so its absence is a mistake in this file. */
function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step of the story ran before the step that it builds on');
  return value;
}
