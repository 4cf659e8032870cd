/** Longer than most files: objects of nearly all kinds, each with what its columns are made of. */

const labels = { app: 'a' };
const long = '2020-02-03T04:05:06Z';
const containers = [
  { name: 'a', image: 'a:1' },
  { name: 'b', image: 'b:2' },
];
const template = { metadata: { labels }, spec: { containers } };
const selector = {
  matchLabels: labels,
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['web', 'cache'] },
    { key: 'old', operator: 'DoesNotExist' },
    { key: 'app', operator: 'Exists' },
    { key: 'aa', operator: 'NotIn', values: ['x'] },
  ],
};
const fitting = { metadata: { labels: { ...labels, tier: 'web' } }, spec: { containers } };
const state = (kind: string, fields: object) => ({ state: { [kind]: fields } });
const ended = (exitCode: number, reason = '', signal = 0) =>
  state('terminated', { exitCode, reason, signal, finishedAt: long });
const statusOf = (name: string, fields: object) => ({
  name,
  image: 'a',
  imageID: 'a',
  ready: false,
  restartCount: 0,
  ...fields,
});
const running = { ready: true, started: true, ...state('running', { startedAt: long }) };
const pod = (status: object, spec: object = {}) => ({ kind: 'Pod', spec: { containers, ...spec }, status });
const init = {
  initContainers: [
    { name: 'i', image: 'i' },
    { name: 's', image: 's', restartPolicy: 'Always' },
  ],
};
const ready = [{ type: 'Ready', status: 'True' }];

/** What is created, with its status where it has one; the columns of tables are compared on these. */
export const shown: readonly { readonly kind: string; readonly [field: string]: unknown }[] = [
  pod({}),
  pod({
    phase: 'Running',
    podIPs: [{ ip: '10.1.1.1' }],
    podIP: '10.1.1.1',
    containerStatuses: containers.map(({ name }) => statusOf(name, running)),
  }),
  pod({
    phase: 'Running',
    containerStatuses: [
      statusOf('a', {
        restartCount: 3,
        ...state('waiting', { reason: 'CrashLoopBackOff' }),
        lastState: ended(1, 'Error').state,
      }),
      statusOf('b', running),
    ],
  }),
  pod({ phase: 'Failed', containerStatuses: [statusOf('a', ended(1)), statusOf('b', ended(0, 'Completed'))] }),
  pod({ phase: 'Failed', containerStatuses: [statusOf('a', ended(0, '', 9))] }),
  pod({ phase: 'Failed', reason: 'Evicted' }),
  pod({
    phase: 'Succeeded',
    containerStatuses: [statusOf('a', ended(0, 'Completed')), statusOf('b', ended(2, 'Oops'))],
  }),
  pod({ phase: 'Running', containerStatuses: [statusOf('a', ended(0, 'Completed')), statusOf('b', running)] }),
  pod({
    phase: 'Running',
    conditions: ready,
    containerStatuses: [statusOf('a', ended(0, 'Completed')), statusOf('b', running)],
  }),
  pod({ phase: 'Pending', initContainerStatuses: [statusOf('i', { restartCount: 2, ...ended(1, 'Error') })] }, init),
  pod({ phase: 'Pending', initContainerStatuses: [statusOf('i', ended(3))] }, init),
  pod(
    { phase: 'Pending', initContainerStatuses: [statusOf('i', state('waiting', { reason: 'ImagePullBackOff' }))] },
    init,
  ),
  pod({ phase: 'Pending', initContainerStatuses: [statusOf('i', state('running', {}))] }, init),
  pod(
    {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [statusOf('i', ended(0)), statusOf('s', { ...running, restartCount: 4 })],
      containerStatuses: containers.map(({ name }) => statusOf(name, running)),
    },
    init,
  ),
  pod(
    {
      phase: 'Pending',
      conditions: [
        { type: 'one', status: 'True' },
        { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
      ],
    },
    { readinessGates: [{ conditionType: 'one' }, { conditionType: 'two' }], nodeName: 'n' },
  ),
  { kind: 'Pod', metadata: { finalizers: ['example.com/wait'] }, spec: { containers }, status: { phase: 'Running' } },
  { kind: 'PodTemplate', template },
  {
    kind: 'Deployment',
    spec: { replicas: 3, selector, template: fitting },
    status: { replicas: 3, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
  },
  { kind: 'Deployment', spec: { replicas: 0, selector: { matchLabels: labels }, template } },
  { kind: 'ReplicaSet', spec: { selector, template: fitting }, status: { replicas: 1, readyReplicas: 1 } },
  { kind: 'ReplicationController', spec: { selector: labels, template }, status: { replicas: 1 } },
  { kind: 'StatefulSet', spec: { serviceName: 'a', selector: { matchLabels: labels }, template } },
  {
    kind: 'DaemonSet',
    spec: {
      selector: { matchLabels: labels },
      template: { ...template, spec: { containers, nodeSelector: { b: '2', a: '1' } } },
    },
    status: {
      desiredNumberScheduled: 3,
      currentNumberScheduled: 2,
      numberReady: 1,
      updatedNumberScheduled: 2,
      numberMisscheduled: 0,
    },
  },
  {
    kind: 'Job',
    spec: { completions: 3, template: { spec: { restartPolicy: 'Never', containers } } },
    status: { succeeded: 1, active: 1, startTime: long },
  },
  {
    kind: 'Job',
    spec: { parallelism: 2, suspend: true, template: { spec: { restartPolicy: 'Never', containers } } },
    status: { conditions: [{ type: 'Suspended', status: 'True' }] },
  },
  {
    kind: 'CronJob',
    spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } } },
  },
  {
    kind: 'CronJob',
    spec: {
      schedule: '1 * * * *',
      timeZone: 'UTC',
      suspend: true,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    },
    status: { lastScheduleTime: long, active: [{ name: 'a' }] },
  },
  {
    kind: 'ControllerRevision',
    revision: 3,
    data: {},
    metadata: {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'a', uid: 'a', controller: true }],
    },
  },
  {
    kind: 'Service',
    spec: {
      selector: labels,
      ports: [{ port: 80 }, { name: 'b', port: 53, protocol: 'UDP' }].map((port, index) => ({
        name: `p${index}`,
        ...port,
      })),
    },
  },
  { kind: 'Service', spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }], externalIPs: ['1.2.3.4'] } },
  { kind: 'Service', spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30081 }] } },
  {
    kind: 'Service',
    spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30082 }], externalIPs: ['1.2.3.5'] },
    status: { loadBalancer: { ingress: [{ ip: '9.9.9.9' }, { hostname: 'a.long.host.name.example.com' }] } },
  },
  { kind: 'Service', spec: { type: 'ExternalName', externalName: 'example.com' } },
  { kind: 'Service', spec: { clusterIP: 'None' } },
  {
    kind: 'Endpoints',
    subsets: [
      {
        addresses: [{ ip: '10.1.1.1' }, { ip: 'fd00::1' }],
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'b' },
        ],
      },
    ],
  },
  { kind: 'Endpoints', subsets: [{ addresses: [{ ip: '10.1.1.1' }] }] },
  { kind: 'Endpoints' },
  {
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: ['10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.1.4'].map((address) => ({ addresses: [address] })),
    ports: [{ port: 80, name: 'a' }, { name: 'b' }],
  },
  { kind: 'EndpointSlice', addressType: 'IPv4', endpoints: [] },
  {
    kind: 'Ingress',
    spec: {
      ingressClassName: 'a',
      tls: [{}],
      rules: ['a', 'b', 'c', 'd'].map((each) => ({ host: `${each}.example.com` })),
    },
    status: { loadBalancer: { ingress: [{ ip: '9.9.9.9' }] } },
  },
  { kind: 'Ingress', spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  {
    kind: 'IngressClass',
    spec: {
      controller: 'example.com/a',
      parameters: { apiGroup: 'example.com', kind: 'A', name: 'a', scope: 'Cluster' },
    },
  },
  {
    kind: 'IngressClass',
    metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'example.com/a' },
  },
  { kind: 'NetworkPolicy', spec: { podSelector: selector } },
  { kind: 'NetworkPolicy', spec: { podSelector: {} } },
  { kind: 'ConfigMap', data: { a: 'a' }, binaryData: { b: 'YQ==' } },
  { kind: 'Secret', data: { a: 'YQ==' } },
  { kind: 'ServiceAccount' },
  { kind: 'Role', rules: [] },
  {
    kind: 'RoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'v' },
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'default' },
    ],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1500m' } } },
        { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '10' } } },
      ],
    },
    status: {
      desiredReplicas: 2,
      currentReplicas: 1,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '1' } } },
      ],
    },
  },
  {
    kind: 'HorizontalPodAutoscaler',
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      maxReplicas: 5,
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: { kind: 'A', name: 'a', apiVersion: 'v1' },
            metric: { name: 'm' },
            target: { type: 'AverageValue', averageValue: '3' },
          },
        },
        {
          type: 'ContainerResource',
          containerResource: { name: 'memory', container: 'a', target: { type: 'AverageValue', averageValue: '1Gi' } },
        },
      ],
    },
  },
  { kind: 'PodDisruptionBudget', spec: { minAvailable: '50%', selector: {} } },
  { kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1, selector: {} } },
  {
    kind: 'ResourceQuota',
    spec: { hard: { pods: '3', 'limits.cpu': '2' } },
    status: { hard: { pods: '3', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '1' } },
  },
  { kind: 'LimitRange', spec: { limits: [] } },
  {
    kind: 'PersistentVolumeClaim',
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'fast',
      volumeName: 'v',
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteMany', 'ReadWriteOnce'], capacity: { storage: '2Gi' } },
  },
  {
    kind: 'PersistentVolume',
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadOnlyMany'],
      hostPath: { path: '/a' },
      claimRef: { namespace: 'default', name: 'c' },
    },
  },
  {
    kind: 'StorageClass',
    provisioner: 'example.com/a',
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  },
  { kind: 'CSIDriver', spec: { tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } },
  { kind: 'CSINode', spec: { drivers: [] } },
  { kind: 'VolumeAttachment', spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  {
    kind: 'Node',
    metadata: { labels: { 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/role': 'worker' } },
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: {
        kubeletVersion: 'v1.36.3',
        kernelVersion: '6.1',
        architecture: 'amd64',
        osImage: '',
        containerRuntimeVersion: '',
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: '',
      },
    },
  },
  { kind: 'Node' },
  { kind: 'PriorityClass', value: 7, preemptionPolicy: 'Never' },
  { kind: 'RuntimeClass', handler: 'h' },
  { kind: 'Lease', spec: { holderIdentity: 'me' } },
  {
    kind: 'Event',
    involvedObject: { namespace: 'default', kind: 'Pod', name: 'a', fieldPath: 'spec.containers{a}' },
    message: ' hello\n',
    reason: 'Why',
    type: 'Normal',
    firstTimestamp: long,
    lastTimestamp: long,
    count: 4,
    source: { component: 'kubelet', host: 'n' },
  },
  {
    kind: 'Event',
    involvedObject: { namespace: 'default' },
    eventTime: '2020-02-03T04:05:06.000007Z',
    reportingComponent: 'example.com/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'Why',
    type: 'Warning',
    series: { count: 9, lastObservedTime: '2021-02-03T04:05:06.000007Z' },
  },
  {
    kind: 'ValidatingWebhookConfiguration',
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://a' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  {
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'a', validationActions: ['Deny'], paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } },
  },
];
