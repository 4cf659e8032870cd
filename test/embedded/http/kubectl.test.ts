// Longer than most files: one story, told step by step to both servers.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../cluster/eventually.js';
import { type Kubectl, type KubectlOptions, kubectlOf } from '../../cluster/kubectl.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { withServed } from './served.js';

const yaml = (value: object) => JSON.stringify(value);
const web = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    },
  },
});
const side = (data: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'side' }, data: { data } });
const ducks = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ducks.pond.example' },
  spec: {
    group: 'pond.example',
    scope: 'Namespaced',
    names: { plural: 'ducks', singular: 'duck', kind: 'Duck', shortNames: ['dk'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A duck.',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', description: 'How big.', default: 2 } } },
              status: { type: 'object', properties: { size: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};
const duck = (size: unknown) => ({
  apiVersion: 'pond.example/v1',
  kind: 'Duck',
  metadata: { name: 'donald' },
  spec: { size },
});

/** Each step as `kubectl` takes it, and what is fed to it. */
const story: readonly (readonly [command: string, stdin?: object])[] = [
  ['version'],
  ['api-resources --api-group=apps -o wide'],
  ['api-resources --api-group=authorization.k8s.io'],
  ['cluster-info'],
  ['get --raw /readyz'],
  ['get --raw /api/v1/namespaces/nope'],
  ['get priorityclasses -o yaml'],
  ['delete priorityclass system-node-critical'],
  ['auth can-i --list'],
  // Client-side and server-side apply.
  ['apply -f -', web(2)],
  ['apply -f -', web(2)],
  ['diff -f -', web(3)],
  ['apply -f -', web(3)],
  ['apply --dry-run=server -f -', web(4)],
  ['apply --server-side -f -', side('1')],
  ['apply --server-side -f - --field-manager=other', side('2')],
  ['apply --server-side -f - --field-manager=other --force-conflicts', side('2')],
  ['diff --server-side --force-conflicts -f -', side('3')],
  ['apply --server-side -f -', side('3')],
  ['get cm side -o yaml --show-managed-fields'],
  ['apply -f -', { ...web(4), spec: { ...web(4).spec, unknown: 1 } }],
  ['get deployment web'],
  ['get deploy -o wide -l app=web'],
  ['get deploy web -o name'],
  ['get deploy web -o jsonpath={.spec.replicas}'],
  ['get deploy web -o yaml'],
  ['get deploy web -o yaml --show-managed-fields'],
  ['get deploy -A'],
  ['get deploy nope'],
  ['get unheard-of'],
  ['scale deploy web --replicas 5'],
  ['get deploy web --subresource=scale'],
  ['get deploy web --subresource=scale -o wide'],
  ['scale deploy web --replicas 6 --current-replicas 2'],
  ['set image deploy/web web=apache'],
  ['rollout restart deploy web'],
  ['rollout pause deploy web'],
  ['rollout status deploy web --timeout 1s'],
  ['rollout resume deploy web'],
  ['rollout history deploy web'],
  ['rollout undo deploy web'],
  ['set env deploy/web A=b'],
  ['set resources deploy web --limits=cpu=1'],
  ['expose deploy web --port 80 --cluster-ip None'],
  ['get svc web'],
  ['autoscale deploy web --max 3'],
  // What kubectl sends as protobuf.
  ['create configmap cm --from-literal=a=b'],
  ['create configmap cm --from-literal=a=b'],
  ['get cm cm -o yaml'],
  ['create secret generic s --from-literal=a=b'],
  ['get secret s -o yaml'],
  ['create namespace x'],
  ['create serviceaccount sa'],
  ['create role r --verb=get,list --resource=pods,deployments.apps'],
  ['get role r -o yaml'],
  ['create rolebinding rb --role=r --serviceaccount=default:sa'],
  ['create quota q --hard=pods=1,cpu=1500m'],
  ['get quota q -o yaml'],
  ['create job j --image=x'],
  ['get job j -o jsonpath={.spec}'],
  ['create cronjob c --image=x --schedule=*/5'],
  ['create deployment w --image=nginx --replicas=2 --port=80'],
  ['create ingress i --rule=a.b/c=svc:80'],
  ['create poddisruptionbudget p --selector=a=b --min-available=50%'],
  ['get pdb p -o yaml'],
  // Patches and small changes.
  ['patch cm cm -p {"data":{"c":"d"}}'],
  ['patch cm cm --type=json -p [{"op":"remove","path":"/data/c"}]'],
  ['patch cm cm --type=json -p [{"op":"remove","path":"/data/nope"}]'],
  ['patch cm cm --type=merge -p {"data":{"e":"f"}}'],
  ['label cm cm x=y'],
  ['label cm cm x=z'],
  ['annotate cm cm note=1'],
  ['get cm cm --show-labels'],
  ['replace -f -', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' }, data: { new: '1' } }],
  ['describe cm cm'],
  // Of one's own object: the real server's controllers tell of theirs when they please.
  ['events --for configmap/cm'],
  // Waiting and deleting.
  ['wait --for=jsonpath={.spec.replicas}=5 deploy/web --timeout 5s'],
  ['delete cm cm --wait'],
  ['wait --for=delete cm/cm --timeout 5s'],
  ['delete cm cm'],
  ['delete job j --cascade=orphan --wait=false'],
  ['delete secret s --dry-run=server'],
  // Who may what.
  ['auth can-i get pods'],
  ['auth can-i get pods --as ada'],
  ['auth can-i get pods --as system:serviceaccount:default:sa'],
  ['auth can-i delete pods --as system:serviceaccount:default:sa'],
  ['get pods --as ada'],
  ['auth whoami --as ada --as-group dev'],
  ['auth can-i --list --as system:serviceaccount:default:sa'],
  // A kind of one's own.
  ['create -f -', ducks],
  ['wait --for=condition=established crd/ducks.pond.example --timeout 10s'],
  ['api-resources --api-group=pond.example -o wide'],
  ['explain duck'],
  ['explain duck --recursive'],
  ['explain ducks.nope'],
  ['apply --server-side -f -', duck('big')],
  ['apply -f -', duck('big')],
  ['apply -f -', { ...duck(3), spec: { size: 3, feathers: 1 } }],
  ['apply -f -', duck(3)],
  ['apply -f -', duck(4)],
  ['get dk'],
  ['scale duck/donald --replicas 7'],
  ['patch dk donald --type=merge -p {"spec":{"size":8}}'],
  ['patch dk donald -p {"spec":{"size":8}}'],
  ['patch dk donald --subresource=status --type=merge -p {"status":{"size":8}}'],
  ['get dk donald -o yaml'],
  ['get dk donald --subresource=scale -o yaml'],
  ['get dk donald --subresource=scale'],
  ['wait --for=condition=Ready dk/donald --timeout 1s'],
  ['rollout restart dk donald'],
  ['delete dk --all'],
];

onRealCluster('kubectl', {}, (plane) => {
  const served = withServed();
  let folder: string;
  let ours: Kubectl;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kilter-kubectl-'));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, served().kubeconfig(served().token));
    const environment = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder };
    ours = kubectlOf(join(plane().binaries, 'kubectl'), kubeconfig, environment);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = async (kubectl: Kubectl, command: string, stdin?: object) => {
    const options: KubectlOptions = { allowFailure: true, ...(stdin ? { stdin: yaml(stdin) } : {}) };
    const { stdout, stderr, exitCode } = await kubectl(command.split(' '), options);
    return { exitCode, stdout: shown(stdout), stderr: shown(stderr) };
  };

  describe('says of the embedded server what it says of the real one', () => {
    it.each(story.map(([command, stdin]) => ({ command, stdin })))('$command', async ({ command, stdin }) => {
      const compare = async () => {
        const [real, embedded] = await Promise.all([run(plane().kubectl, command, stdin), run(ours, command, stdin)]);
        expect(embedded).toEqual(real);
      };
      // The real server tells of a new kind, and of its fields, some time after it serves it.
      await (/^(api-resources|explain) /.test(command) ? eventually(compare) : compare());
      expect(served().faults).toEqual([]);
    });
  });

  it('explains built-in kinds and custom ones', async () => {
    expect((await ours(['explain', 'deploy.spec.template.spec.containers.image'])).stdout).toContain(
      'FIELD: image <string>',
    );
    expect((await ours(['explain', 'deploy.spec.strategy'])).stdout).toContain(
      'https://kubernetes.io/docs/reference/kubernetes-api/',
    );
    expect((await ours(['explain', 'pods', '--recursive'])).stdout).toContain('terminationGracePeriodSeconds');
    expect((await ours(['explain', 'pods.nope'], { allowFailure: true })).stderr).toContain(
      'field "nope" does not exist',
    );
  });

  it('edits', async () => {
    await ours(['create', 'configmap', 'edited', '--from-literal=a=before']);
    const environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      KUBE_EDITOR: 'sed -i s/before/after/',
    };
    const editing = kubectlOf(join(plane().binaries, 'kubectl'), join(folder, 'kubeconfig'), environment);
    await editing(['edit', 'configmap', 'edited']);
    expect((await ours(['get', 'cm', 'edited', '-o', 'jsonpath={.data.a}'])).stdout).toBe('after');
  });

  it('tells changes as they come, until it is stopped', async () => {
    const told = async (kubectl: Kubectl) => {
      await kubectl(['create', 'configmap', 'followed', '--from-literal=a=1']);
      const stop = new AbortController();
      // To the end of the line: what it says may come in pieces.
      const steps: [RegExp, () => unknown][] = [
        [/^ADDED.*\n/m, () => kubectl(['patch', 'cm', 'followed', '-p', '{"data":{"b":"2"}}'])],
        [/^MODIFIED.*\n/m, () => kubectl(['delete', 'cm', 'followed'])],
        [/^DELETED.*\n/m, () => stop.abort()],
      ];
      const heard = (said: string) => {
        for (let [step] = steps; step?.[0].test(said); [step] = steps) void steps.shift()?.[1]();
      };
      const watching = ['get', 'cm', 'followed', '--watch', '--output-watch-events'];
      return shown((await kubectl(watching, { allowFailure: true, signal: stop.signal, heard })).stdout);
    };
    const [real, embedded] = await Promise.all([told(plane().kubectl), told(ours)]);
    expect(embedded).toEqual(real);
    expect(embedded.match(/^[A-Z]+ /gm)?.map((type) => type.trim())).toEqual(['EVENT', 'ADDED', 'MODIFIED', 'DELETED']);
  });

  it('watches as things change, until what it waits for has come', async () => {
    const waiting = ours(['wait', '--for=jsonpath={.data.done}=yes', 'cm/awaited', '--timeout', '20s']);
    await ours(['create', 'configmap', 'awaited']).catch(() => {});
    const again = waiting.catch(() =>
      ours(['wait', '--for=jsonpath={.data.done}=yes', 'cm/awaited', '--timeout', '20s']),
    );
    await ours(['patch', 'cm', 'awaited', '-p', '{"data":{"done":"yes"}}']);
    expect((await again).stdout).toBe('configmap/awaited condition met\n');
  });

  it('deletes what a finalizer holds when that has gone', async () => {
    await ours(['create', 'configmap', 'held']);
    await ours(['patch', 'cm', 'held', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}']);
    const deleting = ours(['delete', 'cm', 'held', '--wait', '--timeout', '20s']);
    for (let marked = ''; marked === ''; ) {
      marked = (await ours(['get', 'cm', 'held', '-o', 'jsonpath={.metadata.deletionTimestamp}'])).stdout;
    }
    await ours(['patch', 'cm', 'held', '-p', '{"metadata":{"finalizers":null}}']);
    expect((await deleting).stdout).toContain('deleted');
  });

  it('is known by the token of a ServiceAccount, with its rights and no more', async () => {
    await ours(['create', 'serviceaccount', 'reader']);
    await ours(['create', 'role', 'reader', '--verb=get', '--resource=configmaps']);
    await ours(['create', 'rolebinding', 'reader', '--role=reader', '--serviceaccount=default:reader']);
    const token = (await ours(['create', 'token', 'reader'])).stdout.trim();
    const kubeconfig = join(folder, 'reader');
    writeFileSync(kubeconfig, served().kubeconfig(token));
    const may = async (verb: string) =>
      (await ours(['auth', 'can-i', verb, 'configmaps'], { kubeconfig, allowFailure: true })).stdout.trim();
    expect([await may('get'), await may('delete')]).toEqual(['yes', 'no']);
    const refused = await ours(['delete', 'configmap', 'x'], { kubeconfig, allowFailure: true });
    expect(refused.stderr).toContain('User "system:serviceaccount:default:reader" cannot delete resource "configmaps"');
  });
});

/** Without what differs from one run to the next. */
function shown(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/resourceVersion: "\d+"/g, 'resourceVersion: <version>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/^.*(?:---|\+\+\+|diff).*(?:LIVE|MERGED)-.*$/gm, '<files>')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
    .replace(/(?<= )(?:\d+[dhms])+(?= |$)/gm, '<age>')
    .replace(/ +/g, ' ');
}
