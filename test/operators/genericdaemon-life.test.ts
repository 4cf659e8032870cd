import { expect, it } from '@jest/globals';
import { DaemonSet, Node, Pod } from '../../imports/k8s.js';
import { Genericdaemon, genericdaemon } from '../../src/operators/genericdaemon.js';
import { eventually } from '../cluster/eventually.js';
import { placeDaemonPods } from '../cluster/kubelet-stand-in.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { LifeStage } from './life-stage.js';

const image = 'mbessler/syslogdocker';

onEveryCluster('the life of a Genericdaemon', { controllerManager: true, audit: true }, (plane) => {
  const stage = new LifeStage(plane, [genericdaemon]);
  const installed = (count: number) => stage.ready(Genericdaemon, 'syslog', { installed: count });

  it('begins on the nodes that have its label', async () => {
    for (const [name, labels] of Object.entries({ one: { logs: 'true' }, two: { logs: 'true' }, three: {} })) {
      await stage.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
      // What kube-controller-manager does for a Node that nothing bad is known of, where there is one.
      await plane().kubectl(['taint', 'node', name, 'node.kubernetes.io/not-ready-'], { allowFailure: true });
    }
    await stage.apply({
      apiVersion: Genericdaemon.apiVersion,
      kind: Genericdaemon.kind,
      metadata: { name: 'syslog' },
      spec: { image, label: 'logs' },
    });
    await installed(2);
    expect(await stage.names(Pod)).toHaveLength(2);
  });

  it('counts a node that gets the label, and one that loses it', async () => {
    await stage.patch(Node, 'three', { metadata: { labels: { logs: 'true' } } });
    await installed(3);
    await stage.patch(Node, 'one', { metadata: { labels: { logs: null } } });
    await stage.patch(Node, 'two', { metadata: { labels: { logs: 'false' } } });
    await installed(1);
  });

  it('follows a change of its image', async () => {
    await stage.patch(Genericdaemon, 'syslog', { spec: { image: 'example.com/syslog:2' } });
    await eventually(async () =>
      expect((await stage.get(DaemonSet, 'syslog-daemon')).spec?.template.spec?.containers[0]?.image).toBe(
        'example.com/syslog:2',
      ),
    );
    await installed(1);
  });

  it('runs on all nodes without a label', async () => {
    await stage.patch(Genericdaemon, 'syslog', { spec: { label: null } });
    await installed(3);
    expect((await stage.get(DaemonSet, 'syslog-daemon')).spec?.template.spec?.nodeSelector).toBeUndefined();
  });

  it.each([
    ['its image', { spec: { template: { spec: { containers: [{ name: 'daemon', image: 'other' }] } } } }],
    ['a label', { metadata: { labels: { 'app.kubernetes.io/managed-by': 'somebody' } } }],
  ])('puts back %s of its DaemonSet', async (_, changed) => {
    await stage.putsBack(DaemonSet, 'syslog-daemon', changed);
  });

  it('makes a deleted DaemonSet again', async () => {
    await stage.makesAgain(DaemonSet, 'syslog-daemon');
    await installed(3);
  });

  it.each([
    ['no image', { label: 'logs' }, 'spec.image: Required value'],
    ['a label that is none', { image, label: 'a=b' }, 'spec.label: Invalid value: "a=b"'],
    ['an image of the wrong type', { image: 3 }, 'spec.image: Invalid value: "integer"'],
    ['an image of two words', { image: 'a b' }, 'spec.image: Invalid value: "a b": spec.image in body should match'],
    ['a key with a wrong capital', { image, Label: 'logs' }, 'unknown field "spec.Label"'],
  ])('is refused with %s', async (_, spec, words) => {
    await stage.refuses(Genericdaemon, spec, words);
  });

  it('is not written to when its controller restarts and nothing has drifted', async () => {
    await installed(3);
    expect(await stage.writesOfRestart()).toEqual([]);
  });

  it('ends together with its DaemonSet and its Pods', async () => {
    await plane().kubectl(['delete', 'genericdaemon', 'syslog', '--wait=false']);
    await eventually(async () => {
      await placeDaemonPods(stage.admin, stage.home);
      expect(await stage.names(DaemonSet)).toEqual([]);
      expect(await stage.names(Pod)).toEqual([]);
    }, 60);
  });
});
