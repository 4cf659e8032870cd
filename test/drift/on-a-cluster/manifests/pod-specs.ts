/** A table of the ways in which people write Pods. */

/** Pod specs that any workload can have, by what is particular about them. */
export const podSpecs: Readonly<Record<string, object>> = {
  'with nothing but an image': { containers: [{ name: 'app', image: 'nginx' }] },
  'with a tag, from which a pull policy follows': { containers: [{ name: 'app', image: 'nginx:1.27' }] },
  'with quantities in every spelling': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        resources: {
          requests: { cpu: '1000m', memory: '2048Mi', 'ephemeral-storage': '1e3' },
          limits: { cpu: 2, memory: '2Gi', 'ephemeral-storage': 1e9 },
        },
      },
      { name: 'small', image: 'nginx', resources: { limits: { cpu: '0.1', memory: '0.5Gi' } } },
      { name: 'odd', image: 'nginx', resources: { requests: { cpu: '100e-3', memory: '1.5Gi' } } },
      { name: 'exact', image: 'nginx', resources: { requests: { cpu: '0.0001', memory: '128974848' } } },
      { name: 'plus', image: 'nginx', resources: { requests: { cpu: '+1', memory: '123Mi' } } },
      { name: 'zero', image: 'nginx', resources: { requests: { cpu: 0, memory: '0' }, limits: {} } },
    ],
  },
  'with ports that leave their protocol out, and two of one number': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        ports: [{ containerPort: 80 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }],
      },
    ],
  },
  'with empty, null and left-out values of its environment': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'NULL', value: null },
          { name: 'ABSENT' },
          { name: 'TEXT', value: 'grüße ☃ 𝔘 "quoted" \\ $(EMPTY)' },
          { name: 'LINES', value: 'one\ntwo\n' },
          { name: 'NUMBER', value: '1' },
          { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 'none', key: 'none', optional: false } } },
        ],
        envFrom: [{ configMapRef: { name: 'a' } }, { prefix: '', secretRef: { name: 'b', optional: true } }],
      },
    ],
  },
  'with probes that leave most to defaults': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        livenessProbe: { httpGet: { port: 8080 } },
        readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 3 },
        startupProbe: { exec: { command: ['true'] }, failureThreshold: 30 },
        lifecycle: { preStop: { httpGet: { path: '/', port: 80 } } },
      },
      { name: 'grpc', image: 'nginx', livenessProbe: { grpc: { port: 9 } } },
    ],
  },
  'with volumes of all kinds': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        volumeMounts: [
          { name: 'empty', mountPath: '/empty' },
          { name: 'map', mountPath: '/map', readOnly: false },
          { name: 'empty', mountPath: '/other', subPath: '' },
        ],
      },
    ],
    volumes: [
      { name: 'empty', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } },
      { name: 'map', configMap: { name: 'a' } },
      { name: 'items', configMap: { name: 'a', items: [{ key: 'k', path: 'p' }], defaultMode: 256 } },
      { name: 'secret', secret: { secretName: 's', optional: true } },
      { name: 'host', hostPath: { path: '/tmp' } },
      { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      {
        name: 'projected',
        projected: { sources: [{ serviceAccountToken: { path: 'token' } }, { secret: { name: 's' } }] },
      },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
      {
        name: 'own',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
          },
        },
      },
    ],
  },
  'with empty maps and lists wherever there can be one': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        args: [],
        command: [],
        env: [],
        ports: [],
        resources: {},
        securityContext: {},
        volumeMounts: [],
      },
    ],
    volumes: [],
    nodeSelector: {},
    tolerations: [],
    affinity: {},
    securityContext: {},
    imagePullSecrets: [],
    initContainers: [],
  },
  'with nulls wherever there can be one': {
    containers: [{ name: 'app', image: 'nginx', args: null, resources: null, env: null, livenessProbe: null }],
    nodeSelector: null,
    tolerations: null,
    affinity: null,
    securityContext: null,
    terminationGracePeriodSeconds: null,
    initContainers: null,
  },
  'with zero values and false': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        stdin: false,
        tty: false,
        terminationMessagePath: '',
        workingDir: '',
        securityContext: {
          privileged: false,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: false,
          runAsNonRoot: false,
          runAsUser: 0,
        },
        readinessProbe: { httpGet: { path: '', port: 80, host: '' }, initialDelaySeconds: 0 },
      },
    ],
    hostNetwork: false,
    hostPID: false,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 0,
    priorityClassName: '',
    hostname: '',
    shareProcessNamespace: false,
  },
  'with a security context, tolerations and an affinity': {
    containers: [
      {
        name: 'app',
        image: 'nginx',
        securityContext: { capabilities: { drop: ['ALL'], add: [] }, seccompProfile: { type: 'RuntimeDefault' } },
      },
    ],
    securityContext: { runAsNonRoot: true, fsGroup: 1000, supplementalGroups: [3, 1, 2], sysctls: [] },
    tolerations: [{ operator: 'Exists' }, { key: 'a', operator: 'Equal', value: '', effect: 'NoSchedule' }],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'x' } }, namespaces: [] },
          },
        ],
      },
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'In', values: ['arm64', 'amd64'] }] }],
        },
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
      { maxSkew: 2, topologyKey: 'host', whenUnsatisfiable: 'ScheduleAnyway' },
    ],
  },
  'with init containers, aliases, an account and an image pull secret': {
    containers: [
      { name: 'b', image: 'nginx' },
      { name: 'a', image: 'nginx', imagePullPolicy: 'Never' },
    ],
    initContainers: [
      { name: 'z', image: 'busybox', command: ['sh', '-c', 'true'] },
      { name: 'sidecar', image: 'busybox', restartPolicy: 'Always' },
    ],
    hostAliases: [{ ip: '127.0.0.2', hostnames: ['b', 'a'] }],
    imagePullSecrets: [{ name: 'registry' }],
    serviceAccountName: 'default',
    dnsConfig: { options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }], nameservers: ['10.0.0.10'] },
    readinessGates: [{ conditionType: 'example.com/ready' }],
  },
};
