// Longer than most files: the fields of a Pod are many, and templates have them all too.
import { type Field, field, type KindGrammar, under } from './kind-grammar.js';

const web = { name: 'web', image: 'nginx:1.27' };

/** Specs of Pods, as they stand in templates too. */
export const podSpecs = [
  { containers: [web] },
  {
    containers: [
      {
        ...web,
        ports: [{ containerPort: 80 }],
        env: [{ name: 'A', value: '1' }],
        resources: { requests: { cpu: '100m' } },
      },
      { name: 'log', image: 'fluent', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
  {
    initContainers: [{ name: 'init', image: 'busybox', command: ['true'] }],
    containers: [
      { ...web, livenessProbe: { httpGet: { path: '/', port: 80 } }, securityContext: { runAsNonRoot: true } },
    ],
    volumes: [
      { name: 'conf', configMap: { name: 'conf' } },
      { name: 'sec', secret: { secretName: 's' } },
    ],
    serviceAccountName: 'default',
  },
] as const;

const containerFields: readonly Field[] = [
  field('name', ['web', 'app'], ['Bad Name', '', 'log', 5]),
  field(
    'image',
    [
      'nginx',
      'nginx:latest',
      'nginx:1.28',
      'registry:5000/a/b@sha256:0123456789012345678901234567890123456789012345678901234567890123',
    ],
    ['', ' x ', 7],
  ),
  field('imagePullPolicy', ['Always', 'IfNotPresent', 'Never'], ['Odd']),
  field('command', [['a', 'b'], []], ['x', [1]]),
  field('args', [['a'], ['a', 'b']], [{}]),
  field('workingDir', ['/x'], [1]),
  field(
    'ports',
    [
      [{ containerPort: 80 }],
      [
        { containerPort: 80, name: 'http' },
        { containerPort: 81, protocol: 'UDP' },
      ],
      [],
    ],
    [
      [{}],
      [{ containerPort: 0 }],
      [{ containerPort: 70000 }],
      [{ containerPort: 80, protocol: 'Odd' }],
      [
        { containerPort: 80, name: 'http' },
        { containerPort: 81, name: 'http' },
      ],
      [{ containerPort: 80, name: 'Bad Name' }],
      [{ containerPort: 80 }, { containerPort: 80 }],
      [
        { containerPort: 80, hostPort: 81 },
        { containerPort: 90, hostPort: 81 },
      ],
      [{ containerPort: 'x' }],
    ],
  ),
  field(
    'env',
    [
      [{ name: 'A', value: '1' }],
      [
        { name: 'A', value: '2' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      [],
    ],
    [
      [{ name: 'A', value: 1 }],
      [{ name: '', value: 'x' }],
      [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      [{ name: 'A', valueFrom: {} }],
      [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.nothing' } } }],
      [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }],
      [{ name: 'A', valueFrom: { configMapKeyRef: { key: 'a b', name: 'c' } } }],
      [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
      [{ name: 'A=B', value: '1' }],
    ],
  ),
  field(
    'envFrom',
    [[{ configMapRef: { name: 'c' } }], [{ prefix: 'P_', secretRef: { name: 's' } }]],
    [[{}], [{ configMapRef: { name: 'c' }, secretRef: { name: 's' } }]],
  ),
  field('resources.requests.cpu', ['100m', 0.1, '0.1'], ['x', -1, '2']),
  field(
    'resources.limits',
    [{ cpu: '1', memory: '1Gi' }, { memory: '128Mi' }, {}],
    [{ cpu: '1m' }, { odd: '1' }, { cpu: '-1' }, 'x'],
  ),
  field('resources.claims', [], [[{ name: 'nope' }]]),
  field(
    'livenessProbe',
    [
      { httpGet: { path: '/', port: 80 } },
      { exec: { command: ['true'] }, periodSeconds: 5 },
      { tcpSocket: { port: 'http' } },
    ],
    [
      {},
      { httpGet: { port: 0 } },
      { exec: {} },
      { httpGet: { port: 80 }, tcpSocket: { port: 80 } },
      { httpGet: { port: 80, scheme: 'odd' } },
      { httpGet: { port: 80 }, successThreshold: 2 },
      { httpGet: { port: 80 }, periodSeconds: -1 },
    ],
  ),
  field(
    'readinessProbe',
    [{ tcpSocket: { port: 80 }, successThreshold: 2 }, { grpc: { port: 9000 } }],
    [{ tcpSocket: { port: 'Bad' } }, { tcpSocket: {} }],
  ),
  field('startupProbe', [{ exec: { command: ['x'] }, failureThreshold: 30 }]),
  field(
    'lifecycle',
    [{ preStop: { exec: { command: ['x'] } } }, { preStop: { sleep: { seconds: 1 } } }],
    [{ preStop: {} }, { postStart: { httpGet: { port: 0 } } }, { preStop: { sleep: { seconds: -1 } } }],
  ),
  field(
    'volumeMounts',
    [[]],
    [
      [{ name: 'nope', mountPath: '/x' }],
      [{ name: 'data' }],
      [
        { name: 'data', mountPath: '/x' },
        { name: 'data', mountPath: '/x' },
      ],
      [{ name: 'data', mountPath: '/x', subPath: '../x' }],
      [{ name: 'data', mountPath: '/x:y' }],
    ],
  ),
  field(
    'securityContext',
    [
      { runAsUser: 1000, allowPrivilegeEscalation: false },
      { capabilities: { drop: ['ALL'] } },
      { privileged: true },
      {},
    ],
    [
      { runAsUser: -1 },
      { privileged: true, allowPrivilegeEscalation: false },
      { procMount: 'Odd' },
      { seccompProfile: { type: 'Odd' } },
      { seccompProfile: { type: 'Localhost' } },
    ],
  ),
  field('terminationMessagePolicy', ['File', 'FallbackToLogsOnError'], ['Odd']),
  field('terminationMessagePath', ['/x']),
  field('stdin', [true, false], ['x']),
  field('restartPolicy', [], ['Odd', 'Always']),
  field(
    'resizePolicy',
    [[{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]],
    [[{ resourceName: 'odd', restartPolicy: 'NotRequired' }], [{ resourceName: 'cpu', restartPolicy: 'Odd' }]],
  ),
];

/** Fields of a Pod's spec, as in a template too. */
export const podFields: readonly Field[] = [
  ...under('containers.0', containerFields),
  field('containers', [], [[], [{}], 'x', [web, web], null, [{ name: 'web' }]]),
  field(
    'initContainers',
    [[{ name: 'init', image: 'i', restartPolicy: 'Always' }], []],
    [
      [{ name: 'web', image: 'i' }],
      [{ name: 'init', image: 'i', lifecycle: { preStop: { exec: { command: ['x'] } } } }],
      [{ name: 'init', image: 'i', readinessProbe: { tcpSocket: { port: 1 } } }],
      [{ name: 'init' }],
    ],
  ),
  field(
    'volumes',
    [
      [
        { name: 'data', emptyDir: {} },
        { name: 'conf', configMap: { name: 'c', items: [{ key: 'a', path: 'b' }] } },
      ],
      [
        { name: 'data', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
        { name: 'host', hostPath: { path: '/x' } },
      ],
      [
        { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
        {
          name: 'all',
          projected: {
            sources: [
              { secret: { name: 's' } },
              { serviceAccountToken: { path: 't' } },
              { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
            ],
          },
        },
      ],
    ],
    [
      [{ name: 'data' }, { name: 'data' }],
      [{ name: 'Bad Name', emptyDir: {} }],
      [{ name: 'data', emptyDir: {}, hostPath: { path: '/x' } }],
      [{ name: 'data', configMap: {} }],
      [{ name: 'data', secret: { secretName: 's', defaultMode: 9999 } }],
      [{ name: 'data', persistentVolumeClaim: {} }],
      [{ name: 'data', hostPath: { path: '../x' } }],
      [{ name: 'data', projected: { sources: [{}] } }],
      [{ name: 'data', configMap: { name: 'c', items: [{ key: 'a', path: '../b' }] } }],
      [{ emptyDir: {} }],
    ],
  ),
  field('terminationGracePeriodSeconds', [0, 10, 60], [-1, 'x']),
  field('activeDeadlineSeconds', [], [0, -1]),
  field('dnsPolicy', ['ClusterFirst', 'Default'], ['Odd', 'None']),
  field(
    'dnsConfig',
    [{ nameservers: ['192.0.2.1'], searches: ['example.com'], options: [{ name: 'ndots', value: '2' }] }],
    [{ nameservers: ['x'] }, { options: [{}] }],
  ),
  field('nodeSelector', [{ disk: 'ssd' }, {}], [{ 'a b': 'c' }, 'x']),
  field('serviceAccountName', ['default'], ['Bad Name', 3]),
  field('serviceAccount', ['default']),
  field('automountServiceAccountToken', [false, true], ['x']),
  field('hostNetwork', [true, false], ['x']),
  field(
    'hostAliases',
    [[{ ip: '192.0.2.1', hostnames: ['a'] }]],
    [[{ ip: 'x' }], [{ hostnames: ['a'] }], [{ ip: '192.0.2.1', hostnames: ['Bad Name'] }]],
  ),
  field('hostname', ['host'], ['Bad Name']),
  field('subdomain', ['sub'], ['Bad Name']),
  field('schedulerName', ['default-scheduler', 'own'], [1]),
  field('shareProcessNamespace', [true]),
  field('imagePullSecrets', [[{ name: 'pull' }], [{ name: 'pull' }, { name: 'other' }]], ['x', [{}]]),
  field(
    'securityContext',
    [
      { runAsUser: 1000, fsGroup: 2000 },
      { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] },
      { seccompProfile: { type: 'RuntimeDefault' } },
    ],
    [
      { runAsUser: -1 },
      { sysctls: [{ name: 'Bad Name', value: '1' }] },
      { fsGroupChangePolicy: 'Odd' },
      { supplementalGroups: [-1] },
      { seLinuxOptions: 'x' },
    ],
  ),
  field(
    'tolerations',
    [
      [{ key: 'a', operator: 'Exists' }],
      [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
      [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }],
    ],
    [
      [{ operator: 'Equal' }],
      [{ key: 'a', operator: 'Exists', value: 'x' }],
      [{ key: 'a', effect: 'Odd' }],
      [{ key: 'a', operator: 'Odd' }],
      [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 }],
    ],
  ),
  field(
    'affinity',
    [
      {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
          },
        },
      },
      {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } } },
          ],
        },
      },
    ],
    [
      { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
      { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {} }] } },
      { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] } },
      {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['x', 'y'] }] }],
          },
        },
      },
    ],
  ),
  field(
    'topologySpreadConstraints',
    [
      [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'a' } },
        },
      ],
    ],
    [
      [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      [{ maxSkew: 1, topologyKey: '', whenUnsatisfiable: 'DoNotSchedule' }],
      [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'Odd' }],
      [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }],
    ],
  ),
  field('priorityClassName', ['system-cluster-critical'], [1]),
  field('priority', [], [5, 'x']),
  field('enableServiceLinks', [false, true]),
  field('preemptionPolicy', [], ['Odd', 'Never']),
  field('runtimeClassName', [], ['Bad Name']),
  field('readinessGates', [[{ conditionType: 'example.com/ready' }]], [[{ conditionType: 'Bad Type!' }]]),
  field('os', [{ name: 'linux' }], [{ name: 'odd' }, {}]),
  field('setHostnameAsFQDN', [true]),
  field('ephemeralContainers', [], [[{ name: 'x', image: 'y' }]]),
];

export const pods: readonly KindGrammar[] = [
  {
    resource: 'v1/pods',
    kind: 'Pod',
    namespaced: true,
    weight: 2,
    fieldSelectors: ['spec.nodeName=', 'status.phase=Pending', 'spec.restartPolicy=Always', 'status.phase!=Running'],
    bases: podSpecs.map((spec) => ({ spec })),
    fields: [
      ...under('spec', podFields),
      field('spec.restartPolicy', ['Always', 'OnFailure', 'Never'], ['Odd', '']),
      field('spec.priorityClassName', [], ['no-such-class']),
      field('spec.serviceAccountName', [], ['no-such-account']),
      field(
        'spec.schedulingGates',
        [[{ name: 'example.com/gate' }]],
        [[{ name: 'Bad Gate!' }], [{ name: 'a.b/c' }, { name: 'a.b/c' }]],
      ),
      field('spec.nodeName', ['node-1'], ['Bad Node']),
    ],
    status: [
      field('status.phase', ['Running', 'Pending', 'Succeeded', 'Failed'], [1]),
      field('status.podIP', ['192.0.2.7'], ['x']),
      field('status.podIPs', [[{ ip: '192.0.2.7' }]], [[{ ip: 'x' }]]),
      field(
        'status.conditions',
        [
          [{ type: 'Ready', status: 'True' }],
          [
            { type: 'Ready', status: 'False', reason: 'R' },
            { type: 'example.com/ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
          ],
        ],
        [[{ type: 'bad type!', status: 'True' }], [{ type: 'Ready' }], 'x'],
      ),
      field(
        'status.containerStatuses',
        [
          [
            {
              name: 'web',
              ready: true,
              restartCount: 0,
              image: 'nginx',
              imageID: '',
              state: { running: { startedAt: '2020-01-01T00:00:00Z' } },
            },
          ],
        ],
        [[{}], 'x'],
      ),
      field('status.message', ['fine'], [1]),
    ],
  },
];
