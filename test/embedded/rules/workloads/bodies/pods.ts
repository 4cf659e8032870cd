// Longer than most files: a table of Pods, one for each thing that a server looks at.
import type { Judged } from '../../bodies/judged.js';

const web = { name: 'web', image: 'nginx:1.27' };
const pod = (spec: object, metadata: object = {}) => ({
  metadata: { name: 'web', ...metadata },
  spec: { containers: [web], ...spec },
});
/** A Pod of one container with these fields. */
const container = (fields: object, spec: object = {}) => pod({ containers: [{ ...web, ...fields }], ...spec });
const volume = (...volumes: readonly object[]) => pod({ volumes });
const init = (fields: object) => pod({ initContainers: [{ name: 'init', image: 'busybox', ...fields }] });
const http = { httpGet: { port: 80 } };
const env = (...variables: readonly object[]) => container({ env: variables });
const long = (length: number) => 'a'.repeat(length);
const resources = (fields: object) => container({ resources: fields });

const told = { name: 'web', ready: false, restartCount: 0, image: 'nginx', imageID: '' };

export const pods: Judged = {
  kind: 'Pod',
  bodies: [
    ['an account with a slash in its name', pod({ serviceAccountName: 'a/b' })],
    ['an account with a line feed in its name', pod({ serviceAccountName: 'a\nb' })],
    ['a runtime class without a name', pod({ runtimeClassName: '' })],
    ['overhead of no runtime class', pod({ overhead: { cpu: '1' } })],
    ['empty overhead', pod({ overhead: {} })],
    ['overhead of no runtime class, and no containers', pod({ overhead: { cpu: '1' }, containers: [] })],
    ['one container', pod({})],
    ['nothing at all', { metadata: { name: 'web' } }],
    ['no container', pod({ containers: [] })],
    ['a name that is none', pod({}, { name: 'Web_1' })],
    ['a long name', pod({}, { name: long(254) })],
    // Names and images of containers.
    ['a container without a name', pod({ containers: [{ image: 'nginx' }] })],
    ['a container without an image', pod({ containers: [{ name: 'web' }] })],
    ['a name of a container with capitals', container({ name: 'Web' })],
    ['a name of a container with dots', container({ name: 'a.b' })],
    ['a name of a container that is too long', container({ name: long(64) })],
    ['two containers of one name', pod({ containers: [web, web] })],
    ['a container and an init container of one name', pod({ initContainers: [web] })],
    ['an image with spaces around it', container({ image: ' nginx ' })],
    ['the latest image', container({ image: 'nginx' })],
    ['the latest image by name', container({ image: 'registry:5000/a/nginx:latest' })],
    ['an image by digest', container({ image: `nginx@sha256:${'0'.repeat(64)}` })],
    ['an image by tag and digest', container({ image: `nginx:latest@sha256:${'0'.repeat(64)}` })],
    ['an image that is none', container({ image: 'Nginx:latest' })],
    ['an image of a host with a port', container({ image: 'localhost:5000/nginx' })],
    ['an image with a bad tag', container({ image: 'nginx:-' })],
    ['a pull policy that is none', container({ imagePullPolicy: 'Sometimes' })],
    ['a policy for messages that is none', container({ terminationMessagePolicy: 'Log' })],
    // Ports.
    ['a port', container({ ports: [{ containerPort: 80 }] })],
    ['a port without a number', container({ ports: [{ name: 'http' }] })],
    ['a port out of range', container({ ports: [{ containerPort: 65_536 }] })],
    ['a negative port', container({ ports: [{ containerPort: -1 }] })],
    ['a host port out of range', container({ ports: [{ containerPort: 80, hostPort: 70_000 }] })],
    ['a protocol that is none', container({ ports: [{ containerPort: 80, protocol: 'HTTP' }] })],
    ['a name of a port with capitals', container({ ports: [{ containerPort: 80, name: 'HTTP' }] })],
    ['a name of a port that is too long', container({ ports: [{ containerPort: 80, name: long(16) }] })],
    ['a name of a port with everything wrong', container({ ports: [{ containerPort: 80, name: '--_1' }] })],
    [
      'two ports of one name',
      container({
        ports: [
          { containerPort: 80, name: 'a' },
          { containerPort: 81, name: 'a' },
        ],
      }),
    ],
    [
      'two ports on one port of the host',
      container({
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      }),
    ],
    ['the network of the host', container({ ports: [{ containerPort: 80 }] }, { hostNetwork: true })],
    ['another port of the host', container({ ports: [{ containerPort: 80, hostPort: 81 }] }, { hostNetwork: true })],
    // Environment.
    ['a variable', env({ name: 'A', value: 'b' })],
    ['a variable without a name', env({ value: 'b' })],
    ['an odd name of a variable', env({ name: '1-a.b c', value: 'b' })],
    ['a name of a variable with an equals sign', env({ name: 'a=b' })],
    ['a name of a variable that is not ASCII', env({ name: 'ä' })],
    ['a variable from the Pod', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } })],
    ['a variable from a label', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } })],
    [
      'a variable from a bad label',
      env({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }),
    ],
    ['a variable from all labels', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } })],
    ['a variable from a field that is none', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } })],
    [
      'a variable from a part of a name',
      env({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.name['a']" } } }),
    ],
    ['a variable from the phase', env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } })],
    ['a variable from no field', env({ name: 'A', valueFrom: { fieldRef: {} } })],
    [
      'a variable of another version',
      env({ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } }),
    ],
    ['a variable from a limit', env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } })],
    [
      'a variable from a limit that is none',
      env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.x' } } }),
    ],
    [
      'a variable from a limit with a bad divisor',
      env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }),
    ],
    [
      'a variable from memory with a bad divisor',
      env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '2Mi' } } }),
    ],
    ['a variable from a Secret', env({ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } })],
    ['a variable from a Secret without a name', env({ name: 'A', valueFrom: { secretKeyRef: { key: 'b' } } })],
    [
      'a variable from a ConfigMap with a bad key',
      env({ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: '..a b' } } }),
    ],
    ['a variable from a ConfigMap without a key', env({ name: 'A', valueFrom: { configMapKeyRef: { name: 'a' } } })],
    [
      'a variable from a file',
      pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          { ...web, env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'a', key: 'b' } } }] },
        ],
      }),
    ],
    [
      'a variable from a file that is nowhere',
      env({ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: '../a', key: 'b=c' } } }),
    ],
    ['a variable from nothing', env({ name: 'A', valueFrom: {} })],
    [
      'a variable with a value and a source',
      env({ name: 'A', value: 'b', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }),
    ],
    [
      'a variable from two sources',
      env({
        name: 'A',
        valueFrom: { secretKeyRef: { name: 'a', key: 'b' }, configMapKeyRef: { name: 'a', key: 'b' } },
      }),
    ],
    ['all variables of a ConfigMap', container({ envFrom: [{ prefix: 'A_', configMapRef: { name: 'a' } }] })],
    ['all variables of nothing', container({ envFrom: [{ prefix: '=' }] })],
    ['all variables of both', container({ envFrom: [{ configMapRef: { name: 'A' }, secretRef: {} }] })],
    // Volumes.
    ['a volume without a source', volume({ name: 'a' })],
    ['a volume without a name', volume({ emptyDir: {} })],
    ['a name of a volume that is none', volume({ name: 'A.b' })],
    ['two volumes of one name', volume({ name: 'a' }, { name: 'a', secret: { secretName: 's' } })],
    ['a volume with two sources', volume({ name: 'a', emptyDir: {}, secret: { secretName: 's' } })],
    [
      'a volume with three sources',
      volume({ name: 'a', configMap: { name: 'c' }, hostPath: { path: '/' }, projected: {} }),
    ],
    ['a folder of the host', volume({ name: 'a', hostPath: { path: '/var/log' } })],
    ['a folder of the host with everything wrong', volume({ name: 'a', hostPath: { path: '/a/../b', type: 'Fifo' } })],
    ['no folder of the host', volume({ name: 'a', hostPath: {} })],
    [
      'a volume from a Secret',
      volume({ name: 'a', secret: { secretName: 's', items: [{ key: 'a', path: 'b/c', mode: 256 }] } }),
    ],
    [
      'a volume from a Secret with everything wrong',
      volume({
        name: 'a',
        secret: {
          defaultMode: 512,
          items: [{ mode: -1 }, { key: 'a', path: '/b' }, { key: 'a', path: '../b' }, { key: 'a', path: '..b' }],
        },
      }),
    ],
    ['a volume from a ConfigMap without a name', volume({ name: 'a', configMap: {} })],
    ['a volume with a limit', volume({ name: 'a', emptyDir: { medium: 'Memory', sizeLimit: '1.5Gi' } })],
    ['a volume with a negative limit', volume({ name: 'a', emptyDir: { sizeLimit: '-1' } })],
    ['a volume from a claim', volume({ name: 'a', persistentVolumeClaim: { claimName: 'c' } })],
    ['a volume from no claim', volume({ name: 'a', persistentVolumeClaim: {} })],
    ['a volume from NFS', volume({ name: 'a', nfs: { server: 's', path: 'a' } })],
    [
      'a volume about the Pod',
      volume({
        name: 'a',
        downwardAPI: {
          items: [
            { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'cpu', resourceFieldRef: { containerName: 'web', resource: 'limits.cpu' } },
          ],
        },
      }),
    ],
    [
      'a volume about the Pod with everything wrong',
      volume({
        name: 'a',
        downwardAPI: {
          items: [
            {},
            { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' }, resourceFieldRef: { resource: 'limits.cpu' } },
            { path: 'b', resourceFieldRef: { resource: 'limits.cpu' } },
          ],
        },
      }),
    ],
    [
      'a projected volume',
      volume({
        name: 'a',
        projected: {
          sources: [
            { secret: { name: 's' } },
            { configMap: { name: 'c', items: [{ key: 'a', path: 'a' }] } },
            { downwardAPI: { items: [{ path: 'b', fieldRef: { fieldPath: 'metadata.uid' } }] } },
            { serviceAccountToken: { path: 'token' } },
          ],
        },
      }),
    ],
    [
      'a projected volume with everything wrong',
      volume({
        name: 'a',
        projected: {
          defaultMode: 1000,
          sources: [
            {},
            {
              secret: { items: [{ key: 'a', path: 'a' }] },
              configMap: { name: 'c', items: [{ key: 'a', path: 'a' }] },
            },
            { serviceAccountToken: { expirationSeconds: 1 } },
          ],
        },
      }),
    ],
    ['a volume by CSI', volume({ name: 'a', csi: { driver: 'Csi.Example.com', nodePublishSecretRef: { name: 'S' } } })],
    ['a volume by no CSI driver', volume({ name: 'a', csi: { nodePublishSecretRef: {} } })],
    [
      'a volume of its own',
      volume({
        name: 'a',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'b' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      }),
    ],
    [
      'a volume of its own with everything wrong',
      volume({
        name: 'a',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { name: 'x' },
            spec: {
              accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'X'],
              volumeMode: 'Tape',
              storageClassName: 'A',
              resources: { requests: { storage: '-1' } },
              dataSource: { kind: 'X', name: 'y' },
              selector: { matchLabels: { 'a b': 'c' } },
            },
          },
        },
      }),
    ],
    ['a volume of its own without a template', volume({ name: 'a', ephemeral: {} })],
    [
      'a claim that a volume of its own makes',
      volume(
        {
          name: 'a',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
        { name: 'b', persistentVolumeClaim: { claimName: 'web-a' } },
      ),
    ],
    ['a volume from an image', volume({ name: 'a', image: { reference: 'nginx' } })],
    ['a volume from no image', volume({ name: 'a', image: { pullPolicy: 'X' } })],
    [
      'a volume by iSCSI',
      volume({ name: 'a', iscsi: { targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } }),
    ],
    [
      'a volume by iSCSI with everything wrong',
      volume({ name: 'a', iscsi: { lun: 256, iqn: 'x', chapAuthSession: true, initiatorName: 'y' } }),
    ],
    [
      'other volumes with everything missing',
      volume(
        { name: 'a', gitRepo: {} },
        { name: 'b', gcePersistentDisk: { partition: 256 } },
        { name: 'c', awsElasticBlockStore: {} },
        { name: 'd', glusterfs: {} },
        { name: 'e', flocker: {} },
        { name: 'f', rbd: {} },
        { name: 'g', cinder: {} },
        { name: 'h', cephfs: {} },
        { name: 'i', quobyte: {} },
        { name: 'j', fc: {} },
        { name: 'k', flexVolume: {} },
        { name: 'l', azureFile: {} },
        { name: 'm', vsphereVolume: {} },
        { name: 'n', azureDisk: { kind: 'Managed' } },
        { name: 'o', storageos: {} },
        { name: 'p', scaleIO: {} },
        { name: 'q', portworxVolume: {} },
        { name: 'r', photonPersistentDisk: {} },
      ),
    ],
    [
      'other volumes',
      volume(
        { name: 'b', rbd: { monitors: ['a'], image: 'b' } },
        { name: 'c', azureDisk: { diskName: 'd', diskURI: 'https://d' } },
        { name: 'd', scaleIO: { gateway: 'a', system: 'b', volumeName: 'c', secretRef: { name: 's' } } },
      ),
    ],
    // Mounts.
    ['a mount', container({ volumeMounts: [{ name: 'a', mountPath: '/a' }] }, { volumes: [{ name: 'a' }] })],
    ['a mount of no volume', container({ volumeMounts: [{ name: 'a', mountPath: '/a' }] })],
    [
      'a mount of a volume that is wrong',
      container({ volumeMounts: [{ name: 'a', mountPath: '/a' }] }, { volumes: [{ name: 'a', secret: {} }] }),
    ],
    ['a mount with nothing', container({ volumeMounts: [{}] })],
    [
      'two mounts at one place',
      container(
        {
          volumeMounts: [
            { name: 'a', mountPath: '/a' },
            { name: 'a', mountPath: '/a' },
          ],
        },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    [
      'a mount with everything wrong',
      container(
        {
          volumeMounts: [
            {
              name: 'a',
              mountPath: '/a',
              subPath: '/../b',
              subPathExpr: '../c',
              mountPropagation: 'X',
              recursiveReadOnly: 'Enabled',
            },
          ],
        },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    [
      'a mount both ways',
      container(
        { volumeMounts: [{ name: 'a', mountPath: '/a', mountPropagation: 'Bidirectional' }] },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    [
      'a mount that is read only all over',
      container(
        { volumeMounts: [{ name: 'a', mountPath: '/a', readOnly: true, recursiveReadOnly: 'X' }] },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    [
      'a device',
      container(
        { volumeDevices: [{ name: 'a', devicePath: '/dev/a' }] },
        { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'c' } }] },
      ),
    ],
    [
      'devices with everything wrong',
      container(
        {
          volumeDevices: [
            { name: 'a', devicePath: '/dev/../a' },
            { name: 'a', devicePath: '/m' },
            {},
            { name: 'b', devicePath: '/m' },
          ],
          volumeMounts: [{ name: 'a', mountPath: '/m' }],
        },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    [
      'a mount where the token goes',
      container(
        { volumeMounts: [{ name: 'a', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] },
        { volumes: [{ name: 'a' }] },
      ),
    ],
    ['no token', pod({ automountServiceAccountToken: false })],
    // Probes and hooks.
    [
      'a probe',
      container({
        livenessProbe: http,
        readinessProbe: { tcpSocket: { port: 'http' } },
        startupProbe: { exec: { command: ['a'] } },
      }),
    ],
    ['a probe by gRPC', container({ livenessProbe: { grpc: { port: 80 } } })],
    ['a probe without a handler', container({ livenessProbe: { periodSeconds: 5 } })],
    ['a probe with two handlers', container({ livenessProbe: { ...http, exec: { command: ['a'] } } })],
    [
      'a probe with everything wrong',
      container({
        readinessProbe: {
          httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b' }] },
          initialDelaySeconds: -1,
          timeoutSeconds: -1,
          periodSeconds: -1,
          successThreshold: -1,
          failureThreshold: -1,
          terminationGracePeriodSeconds: 0,
        },
      }),
    ],
    ['a liveness probe that wants two successes', container({ livenessProbe: { ...http, successThreshold: 2 } })],
    ['a startup probe that wants two successes', container({ startupProbe: { ...http, successThreshold: 2 } })],
    ['a probe of a bad name of a port', container({ livenessProbe: { tcpSocket: { port: 'HTTP_PORT' } } })],
    ['a probe of no command', container({ livenessProbe: { exec: {} } })],
    ['hooks', container({ lifecycle: { postStart: { exec: { command: ['a'] } }, preStop: http } })],
    ['hooks with everything wrong', container({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: 31 } } } })],
    ['a signal to stop', container({ lifecycle: { stopSignal: 'SIGTERM', preStop: { sleep: { seconds: 0 } } } })],
    // Resources.
    ['limits alone', resources({ limits: { cpu: '1', memory: '1Gi' } })],
    ['requests and limits', resources({ requests: { cpu: '100m' }, limits: { cpu: '1000m', 'example.com/gpu': 1 } })],
    ['finer than a thousandth', resources({ requests: { cpu: '100u', memory: '1.5' } })],
    ['more than the limit', resources({ requests: { cpu: '2' }, limits: { cpu: '1' } })],
    ['a negative amount', resources({ requests: { cpu: '-1' } })],
    ['a resource that is none', resources({ requests: { gpu: 1 } })],
    ['a resource with a bad name', resources({ limits: { 'a b': 1 } })],
    ['a resource of services', resources({ limits: { services: 1 } })],
    ['a resource of somebody else by halves', resources({ limits: { 'example.com/gpu': '500m' } })],
    ['a request for somebody else alone', resources({ requests: { 'example.com/gpu': 1 } })],
    [
      'another request than the limit of somebody else',
      resources({ requests: { 'example.com/gpu': 1 }, limits: { 'example.com/gpu': 2 } }),
    ],
    ['huge pages alone', resources({ limits: { 'hugepages-2Mi': '2Mi' } })],
    ['half a huge page', resources({ limits: { 'hugepages-2Mi': '1Mi', cpu: 1 } })],
    [
      'a claim of the Pod',
      pod({
        resourceClaims: [{ name: 'a', resourceClaimName: 'b' }],
        containers: [{ ...web, resources: { claims: [{ name: 'a' }] } }],
      }),
    ],
    [
      'claims with everything wrong',
      pod({
        resourceClaims: [{ name: 'a' }, { name: 'a', resourceClaimName: 'B', resourceClaimTemplateName: 'c' }, {}],
        containers: [{ ...web, resources: { claims: [{ name: 'b' }, { name: 'b' }, {}] } }],
      }),
    ],
    [
      'resources of the whole Pod',
      pod({ resources: { limits: { cpu: '1' } }, containers: [{ ...web, resources: { requests: { cpu: '500m' } } }] }),
    ],
    [
      'resources of the whole Pod that are too few',
      pod({
        resources: { limits: { cpu: '1' }, requests: { cpu: '100m' } },
        containers: [{ ...web, resources: { requests: { cpu: '500m' }, limits: { cpu: '2' } } }],
      }),
    ],
    ['resources of the whole Pod of another kind', pod({ resources: { limits: { 'ephemeral-storage': '1' } } })],
    ['a guaranteed Pod', resources({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } })],
    ['a policy for resizing', container({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] })],
    [
      'a policy for resizing with everything wrong',
      container(
        {
          resizePolicy: [
            { resourceName: 'cpu', restartPolicy: 'X' },
            { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
            { resourceName: 'disk', restartPolicy: 'NotRequired' },
          ],
        },
        { restartPolicy: 'Never' },
      ),
    ],
    // Init containers and sidecars.
    ['an init container', init({})],
    [
      'a sidecar',
      init({ restartPolicy: 'Always', readinessProbe: http, lifecycle: { preStop: { exec: { command: ['a'] } } } }),
    ],
    [
      'an init container with a probe',
      init({ readinessProbe: http, livenessProbe: http, startupProbe: http, lifecycle: { preStop: http } }),
    ],
    ['an init container with a policy that is none', init({ restartPolicy: 'Sometimes' })],
    ['an init container with rules alone', init({ restartPolicyRules: [{ action: 'Restart' }] })],
    [
      'a container with a policy of its own',
      container({
        restartPolicy: 'OnFailure',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
      }),
    ],
    [
      'a container with bad rules',
      container({ restartPolicyRules: [{ action: 'X', exitCodes: { operator: 'Y' } }, {}] }),
    ],
    ['an ephemeral container', pod({ ephemeralContainers: [{ name: 'debug', image: 'busybox' }] })],
    // The Pod as a whole.
    ['a restart policy that is none', pod({ restartPolicy: 'Sometimes' })],
    ['a DNS policy that is none', pod({ dnsPolicy: 'X' })],
    ['DNS of its own without any', pod({ dnsPolicy: 'None' })],
    ['DNS of its own without a server', pod({ dnsPolicy: 'None', dnsConfig: { searches: ['a'] } })],
    [
      'DNS with everything wrong',
      pod({
        dnsConfig: {
          nameservers: ['1.2.3.4', '01.2.3.4', 'x', '::ffff:1.2.3.4'],
          searches: ['.', 'a_b.', 'A'],
          options: [{ value: 'x' }],
        },
      }),
    ],
    ['a negative grace period', pod({ terminationGracePeriodSeconds: -1 })],
    ['a deadline of nothing', pod({ activeDeadlineSeconds: 0 })],
    ['a selector of nodes with everything wrong', pod({ nodeSelector: { 'a b': 'c d' } })],
    ['a hostname with dots', pod({ hostname: 'a.b', subdomain: 'C' })],
    ['a hostname instead', pod({ hostnameOverride: 'A', hostNetwork: true })],
    [
      'aliases of hosts',
      pod({
        hostAliases: [
          { ip: '1.2.3.4', hostnames: ['a.b'] },
          { ip: 'x', hostnames: ['A'] },
        ],
      }),
    ],
    ['bad names of other things', pod({ nodeName: 'A', runtimeClassName: 'c' })],
    ['a bad name of a service account', pod({ serviceAccountName: 'A' })],
    ['a service account that is not there', pod({ serviceAccountName: 'other' })],
    ['a service account by its old name', pod({ serviceAccount: 'default' })],
    ['a priority class that is not there', pod({ priorityClassName: 'high' })],
    ['a priority class of the system', pod({ priorityClassName: 'system-cluster-critical' })],
    ['a priority of its own', pod({ priority: 5 })],
    ['a policy of preemption of its own', pod({ preemptionPolicy: 'Never' })],
    ['an overhead of its own', pod({ overhead: { cpu: '1' } })],
    ['secrets for images', pod({ imagePullSecrets: [{ name: 'a' }, {}] })],
    ['readiness gates', pod({ readinessGates: [{ conditionType: 'example.com/ready' }, { conditionType: 'a b' }] })],
    ['gates of scheduling', pod({ schedulingGates: [{ name: 'example.com/a' }] })],
    [
      'bad gates of scheduling',
      pod({ schedulingGates: [{ name: 'a b' }, { name: 'c' }, { name: 'c' }], nodeName: 'n' }),
    ],
    ['an operating system', pod({ os: { name: 'linux' } })],
    ['an operating system that is none', pod({ os: { name: 'plan9' } })],
    ['an operating system without a name', pod({ os: {} })],
    [
      'Windows with what it does not know',
      pod({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { runAsUser: 1, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [{ ...web, securityContext: { privileged: false } }],
      }),
    ],
    [
      'Linux with what it does not know',
      pod({ os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'a' } } }),
    ],
    [
      'Windows users',
      pod({
        securityContext: {
          windowsOptions: { runAsUserName: 'a\\b\\c', gmsaCredentialSpec: '', gmsaCredentialSpecName: 'A' },
        },
      }),
    ],
    [
      'processes on a Windows host',
      pod({
        securityContext: { windowsOptions: { hostProcess: true } },
        containers: [{ ...web, securityContext: { windowsOptions: { hostProcess: false } } }],
      }),
    ],
    ['users of its own', pod({ hostUsers: false, hostPID: true, hostIPC: true, hostNetwork: true })],
    // Scheduling.
    ['tolerations', pod({ tolerations: [{ operator: 'Exists' }] })],
    [
      'tolerations of lost nodes',
      pod({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] }),
    ],
    [
      'tolerations with everything wrong',
      pod({
        tolerations: [
          { value: 'a b' },
          { key: 'a', operator: 'Exists', value: 'b', tolerationSeconds: 1 },
          { key: 'b c', operator: 'Gt', value: '1' },
          { key: 'a', operator: 'X', effect: 'Y' },
        ],
      }),
    ],
    [
      'affinity to nodes',
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
            },
          },
        },
      }),
    ],
    [
      'affinity to nodes with everything wrong',
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: 'a', operator: 'In' },
                    { key: 'b', operator: 'Exists', values: ['c d'] },
                    { key: 'c d', operator: 'Gt' },
                    { operator: 'X' },
                  ],
                  matchFields: [
                    { key: 'metadata.name', operator: 'In', values: ['A', 'b'] },
                    { key: 'x', operator: 'Exists' },
                  ],
                },
              ],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } },
            ],
          },
        },
      }),
    ],
    [
      'affinity to no nodes',
      pod({
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      }),
    ],
    [
      'affinity to Pods',
      pod({
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } },
            ],
          },
        },
      }),
    ],
    [
      'affinity to Pods with everything wrong',
      pod({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                namespaces: ['A'],
                labelSelector: {
                  matchExpressions: [
                    { key: 'a', operator: 'In' },
                    { key: 'b', operator: 'X', values: ['c d'] },
                  ],
                },
                namespaceSelector: { matchLabels: { 'a b': 'c' } },
              },
            ],
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 101, podAffinityTerm: { topologyKey: 'a b', matchLabelKeys: ['c'], mismatchLabelKeys: ['c'] } },
            ],
          },
        },
      }),
    ],
    [
      'affinity to Pods like itself',
      pod(
        {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  topologyKey: 'zone',
                  labelSelector: { matchLabels: { a: 'b' } },
                  matchLabelKeys: ['app'],
                  mismatchLabelKeys: ['b'],
                },
              ],
            },
          },
        },
        { labels: { app: 'web', b: 'c' } },
      ),
    ],
    [
      'a spread',
      pod(
        {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { a: 'b' } },
              matchLabelKeys: ['app'],
            },
          ],
        },
        { labels: { app: 'web' } },
      ),
    ],
    [
      'spreads with everything wrong',
      pod({
        topologySpreadConstraints: [
          {
            maxSkew: 0,
            topologyKey: '',
            whenUnsatisfiable: 'X',
            minDomains: 0,
            nodeAffinityPolicy: 'Y',
            nodeTaintsPolicy: 'Z',
            matchLabelKeys: ['a'],
          },
          { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
          { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      }),
    ],
    // Security.
    [
      'a security context',
      pod({
        securityContext: { runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            ...web,
            securityContext: { privileged: false, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          },
        ],
      }),
    ],
    [
      'a security context of the Pod with everything wrong',
      pod({
        shareProcessNamespace: true,
        hostPID: true,
        hostNetwork: true,
        securityContext: {
          runAsUser: -1,
          runAsGroup: 2 ** 31,
          fsGroup: -1,
          supplementalGroups: [1, -1],
          fsGroupChangePolicy: 'X',
          supplementalGroupsPolicy: 'Y',
          seLinuxChangePolicy: 'MountOption',
          seccompProfile: { type: 'Localhost' },
          appArmorProfile: { type: 'Localhost', localhostProfile: ' a' },
          sysctls: [{ name: 'net.a' }, { name: 'A' }, { name: 'net.a' }, {}],
        },
      }),
    ],
    [
      'a security context of a container with everything wrong',
      container({
        securityContext: {
          runAsUser: -1,
          runAsGroup: -1,
          procMount: 'Unmasked',
          seccompProfile: { type: 'X', localhostProfile: 'a' },
          appArmorProfile: { localhostProfile: 'b' },
          privileged: true,
          allowPrivilegeEscalation: false,
          capabilities: { add: ['CAP_SYS_ADMIN'] },
        },
      }),
    ],
    ['a privileged container', container({ securityContext: { privileged: true } })],
    ['a proc mount that is none', container({ securityContext: { procMount: 'X' } })],
    [
      'AppArmor by annotation',
      pod({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/web': 'runtime/default' } }),
    ],
    [
      'bad annotations',
      pod(
        {},
        {
          annotations: {
            'container.apparmor.security.beta.kubernetes.io/other': 'x',
            'controller.kubernetes.io/pod-deletion-cost': '+1',
          },
        },
      ),
    ],
    ['a mirror of no node', pod({}, { annotations: { 'kubernetes.io/config.mirror': 'x' } })],
    [
      'seccomp by annotation and by field',
      pod(
        { securityContext: { seccompProfile: { type: 'Unconfined' } } },
        { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } },
      ),
    ],
  ],
  changes: [
    ['another image', pod({}), { spec: { containers: [{ ...web, image: 'nginx:1.28' }] } }],
    ['an image with a space', pod({}), { spec: { containers: [{ ...web, image: 'nginx ' }] } }],
    ['no image', pod({}), { spec: { containers: [{ name: 'web' }] } }],
    ['a second container', pod({}), { spec: { containers: [web, { ...web, name: 'b' }] } }],
    ['another command', pod({}), { spec: { containers: [{ ...web, command: ['a'] }] } }],
    ['another node', pod({}), { spec: { nodeName: 'n' } }],
    ['another selector of nodes', pod({ nodeSelector: { a: 'b' } }), { spec: { nodeSelector: { a: 'c' } } }],
    ['a deadline', pod({}), { spec: { activeDeadlineSeconds: 5 } }],
    ['a later deadline', pod({ activeDeadlineSeconds: 5 }), { spec: { activeDeadlineSeconds: 6 } }],
    ['an earlier deadline', pod({ activeDeadlineSeconds: 5 }), { spec: { activeDeadlineSeconds: 4 } }],
    ['no deadline any more', pod({ activeDeadlineSeconds: 5 }), { spec: { activeDeadlineSeconds: null } }],
    [
      'a toleration more',
      pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
      {
        spec: {
          tolerations: [
            { key: 'a', operator: 'Exists' },
            { key: 'b', operator: 'Exists' },
          ],
        },
      },
    ],
    ['a toleration less', pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }), { spec: { tolerations: [] } }],
    ['another grace period', pod({}), { spec: { terminationGracePeriodSeconds: 5 } }],
    [
      'a grace period that was negative',
      pod({ terminationGracePeriodSeconds: -1 }),
      { spec: { terminationGracePeriodSeconds: 1 } },
    ],
    [
      'a gate less',
      pod({ schedulingGates: [{ name: 'a' }, { name: 'b' }] }),
      { spec: { schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b' } } },
    ],
    [
      'a gate more',
      pod({ schedulingGates: [{ name: 'a' }] }),
      { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } },
    ],
    [
      'more selection behind a gate',
      pod({ schedulingGates: [{ name: 'a' }], nodeSelector: { a: 'b' } }),
      { spec: { nodeSelector: { a: 'c' } } },
    ],
    [
      'other resources',
      resources({ limits: { cpu: '1' } }),
      { spec: { containers: [{ ...web, resources: { limits: { cpu: '2' } } }] } },
    ],
    ['priority left out', pod({}), { spec: { priority: null, preemptionPolicy: null, tolerations: null } }],
    ['other labels', pod({}), { metadata: { labels: { a: 'b' } } }],
    [
      'an annotation for AppArmor',
      pod({}),
      { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/web': 'unconfined' } } },
    ],
    ['another status', pod({}), { status: { phase: 'Running' } }],
    [
      'much at once',
      pod({}),
      { spec: { hostname: 'h', restartPolicy: 'Never', containers: [{ ...web, env: [{ name: 'a' }], image: 'x' }] } },
    ],
  ],
  statuses: [
    ['a phase', pod({}), { status: { phase: 'Running', podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }] } }],
    [
      'a specification too',
      pod({}),
      { spec: { nodeName: 'n' }, metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } },
    ],
    [
      'everything wrong',
      pod({}),
      {
        status: {
          qosClass: 'Guaranteed',
          nominatedNodeName: 'A',
          observedGeneration: -1,
          conditions: [{ type: 'a b', status: 'True', observedGeneration: -1 }],
          podIPs: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }],
          hostIP: '1.2.3.4',
          hostIPs: [{ ip: '1.2.3.5' }],
        },
      },
    ],
    [
      'a claim for resources that nobody asks for',
      pod({}),
      {
        status: {
          extendedResourceClaimStatus: {
            requestMappings: [
              { containerName: 'web', resourceName: 'a', requestName: 'r' },
              { containerName: 'web', resourceName: 'a', requestName: 'r' },
              { containerName: 'other', resourceName: 'a', requestName: 'R' },
            ],
            resourceClaimName: 'A',
          },
        },
      },
    ],
    ['a claim for no resources', pod({}), { status: { extendedResourceClaimStatus: {} } }],
    [
      'bad users of containers',
      pod({}),
      {
        status: {
          containerStatuses: [
            { ...told, user: { linux: { uid: -1, gid: 5, supplementalGroups: [1, -2] } } },
            { ...told, name: 'other', user: { linux: { uid: 1, gid: 2 ** 31 } } },
          ],
        },
      },
    ],
    [
      'resources that no container asks for',
      pod({}),
      {
        status: {
          containerStatuses: [
            {
              ...told,
              allocatedResourcesStatus: [
                { name: 'claim:gpu', resources: [{ resourceID: 'a', health: 'Odd' }] },
                { name: 'example.com/gpu', resources: [{ resourceID: 'a' }, { resourceID: 'a', health: 'Healthy' }] },
              ],
            },
          ],
          ephemeralContainerStatuses: [{ ...told, allocatedResourcesStatus: [{ name: 'claim:gpu' }] }],
          resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'A' }],
        },
      },
    ],
  ],
};
