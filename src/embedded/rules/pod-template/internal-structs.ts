/**
 * The fields of the structs that the API server keeps Pods in, which differ from those of its API: where a message
 * shows a whole struct, it shows these names, in this order, and all of them.
 *
 * `*T` and `[]T` are `null` when absent, `map T` too; `...T` stands for the fields of T. Said of Kubernetes 1.36.
 */
export const internalStructs = {
  AWSElasticBlockStoreVolumeSource: 'VolumeID string, FSType string, Partition int, ReadOnly bool',
  Affinity: 'NodeAffinity *NodeAffinity, PodAffinity *PodAffinity, PodAntiAffinity *PodAntiAffinity',
  AppArmorProfile: 'Type string, LocalhostProfile *string',
  AzureDiskVolumeSource:
    'DiskName string, DataDiskURI string, CachingMode *string, FSType *string, ReadOnly *bool, Kind *string',
  AzureFileVolumeSource: 'SecretName string, ShareName string, ReadOnly bool',
  CSIVolumeSource:
    'Driver string, ReadOnly *bool, FSType *string, VolumeAttributes map string, NodePublishSecretRef *LocalObjectReference',
  Capabilities: 'Add []string, Drop []string',
  CephFSVolumeSource:
    'Monitors []string, Path string, User string, SecretFile string, SecretRef *LocalObjectReference, ReadOnly bool',
  CinderVolumeSource: 'VolumeID string, FSType string, ReadOnly bool, SecretRef *LocalObjectReference',
  ClusterTrustBundleProjection:
    'Name *string, SignerName *string, LabelSelector *LabelSelector, Optional *bool, Path string',
  ConfigMapEnvSource: '...LocalObjectReference, Optional *bool',
  ConfigMapKeySelector: '...LocalObjectReference, Key string, Optional *bool',
  ConfigMapProjection: '...LocalObjectReference, Items []KeyToPath, Optional *bool',
  ConfigMapVolumeSource: '...LocalObjectReference, Items []KeyToPath, DefaultMode *int, Optional *bool',
  Container:
    'Name string, Image string, Command []string, Args []string, WorkingDir string, Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy []ContainerResizePolicy, RestartPolicy *string, RestartPolicyRules []ContainerRestartRule, VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe, StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy string, ImagePullPolicy string, SecurityContext *SecurityContext, Stdin bool, StdinOnce bool, TTY bool',
  ContainerPort: 'Name string, HostPort int, ContainerPort int, Protocol string, HostIP string',
  ContainerResizePolicy: 'ResourceName string, RestartPolicy string',
  ContainerRestartRule: 'Action string, ExitCodes *ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator string, Values []int',
  DaemonSetUpdateStrategy: 'Type string, RollingUpdate *RollingUpdateDaemonSet',
  DeploymentStrategy: 'Type string, RollingUpdate *RollingUpdateDeployment',
  DownwardAPIProjection: 'Items []DownwardAPIVolumeFile',
  DownwardAPIVolumeFile:
    'Path string, FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, Mode *int',
  DownwardAPIVolumeSource: 'Items []DownwardAPIVolumeFile, DefaultMode *int',
  EmptyDirVolumeSource: 'Medium string, SizeLimit *Quantity',
  EnvFromSource: 'Prefix string, ConfigMapRef *ConfigMapEnvSource, SecretRef *SecretEnvSource',
  EnvVar: 'Name string, Value string, ValueFrom *EnvVarSource',
  EnvVarSource:
    'FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, ConfigMapKeyRef *ConfigMapKeySelector, SecretKeyRef *SecretKeySelector, FileKeyRef *FileKeySelector',
  EphemeralContainer: '...EphemeralContainerCommon, TargetContainerName string',
  EphemeralContainerCommon:
    'Name string, Image string, Command []string, Args []string, WorkingDir string, Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy []ContainerResizePolicy, RestartPolicy *string, RestartPolicyRules []ContainerRestartRule, VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe, StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy string, ImagePullPolicy string, SecurityContext *SecurityContext, Stdin bool, StdinOnce bool, TTY bool',
  EphemeralVolumeSource: 'VolumeClaimTemplate *PersistentVolumeClaimTemplate',
  ExecAction: 'Command []string',
  FCVolumeSource: 'TargetWWNs []string, Lun *int, FSType string, ReadOnly bool, WWIDs []string',
  FileKeySelector: 'VolumeName string, Path string, Key string, Optional *bool',
  FlexVolumeSource: 'Driver string, FSType string, SecretRef *LocalObjectReference, ReadOnly bool, Options map string',
  FlockerVolumeSource: 'DatasetName string, DatasetUUID string',
  GCEPersistentDiskVolumeSource: 'PDName string, FSType string, Partition int, ReadOnly bool',
  GRPCAction: 'Port int, Service *string',
  GitRepoVolumeSource: 'Repository string, Revision string, Directory string',
  GlusterfsVolumeSource: 'EndpointsName string, Path string, ReadOnly bool',
  HTTPGetAction: 'Path string, Port IntOrString, Host string, Scheme string, HTTPHeaders []HTTPHeader',
  HTTPHeader: 'Name string, Value string',
  HostAlias: 'IP string, Hostnames []string',
  HostPathVolumeSource: 'Path string, Type *string',
  ISCSIVolumeSource:
    'TargetPortal string, IQN string, Lun int, ISCSIInterface string, FSType string, ReadOnly bool, Portals []string, DiscoveryCHAPAuth bool, SessionCHAPAuth bool, SecretRef *LocalObjectReference, InitiatorName *string',
  ImageVolumeSource: 'Reference string, PullPolicy string',
  KeyToPath: 'Key string, Path string, Mode *int',
  Lifecycle: 'PostStart *LifecycleHandler, PreStop *LifecycleHandler, StopSignal *string',
  LifecycleHandler: 'Exec *ExecAction, HTTPGet *HTTPGetAction, TCPSocket *TCPSocketAction, Sleep *SleepAction',
  LocalObjectReference: 'Name string',
  NFSVolumeSource: 'Server string, Path string, ReadOnly bool',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector, PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms []NodeSelectorTerm',
  NodeSelectorRequirement: 'Key string, Operator string, Values []string',
  NodeSelectorTerm: 'MatchExpressions []NodeSelectorRequirement, MatchFields []NodeSelectorRequirement',
  ObjectFieldSelector: 'APIVersion string, FieldPath string',
  PersistentVolumeClaimSpec:
    'AccessModes []string, Selector *LabelSelector, Resources VolumeResourceRequirements, VolumeName string, StorageClassName *string, VolumeMode *string, DataSource *TypedLocalObjectReference, DataSourceRef *TypedObjectReference, VolumeAttributesClassName *string',
  PersistentVolumeClaimTemplate: '...ObjectMeta, Spec PersistentVolumeClaimSpec',
  PersistentVolumeClaimVolumeSource: 'ClaimName string, ReadOnly bool',
  PhotonPersistentDiskVolumeSource: 'PdID string, FSType string',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm',
  PodAffinityTerm:
    'LabelSelector *LabelSelector, Namespaces []string, TopologyKey string, NamespaceSelector *LabelSelector, MatchLabelKeys []string, MismatchLabelKeys []string',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm',
  PodCertificateProjection:
    'SignerName string, KeyType string, MaxExpirationSeconds *int, CredentialBundlePath string, KeyPath string, CertificateChainPath string, UserAnnotations map string',
  PodDNSConfig: 'Nameservers []string, Searches []string, Options []PodDNSConfigOption',
  PodDNSConfigOption: 'Name string, Value *string',
  PodFailurePolicy: 'Rules []PodFailurePolicyRule',
  PodFailurePolicyOnExitCodesRequirement: 'ContainerName *string, Operator string, Values []int',
  PodFailurePolicyOnPodConditionsPattern: 'Type string, Status string',
  PodFailurePolicyRule:
    'Action string, OnExitCodes *PodFailurePolicyOnExitCodesRequirement, OnPodConditions []PodFailurePolicyOnPodConditionsPattern',
  PodOS: 'Name string',
  PodReadinessGate: 'ConditionType string',
  PodResourceClaim: 'Name string, ResourceClaimName *string, ResourceClaimTemplateName *string',
  PodSchedulingGate: 'Name string',
  PodSchedulingGroup: 'PodGroupName *string',
  PodSecurityContext:
    'HostNetwork bool, HostPID bool, HostIPC bool, ShareProcessNamespace *bool, HostUsers *bool, SELinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser *int, RunAsGroup *int, RunAsNonRoot *bool, SupplementalGroups []int, SupplementalGroupsPolicy *string, FSGroup *int, FSGroupChangePolicy *string, Sysctls []Sysctl, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile, SELinuxChangePolicy *string',
  PodSpec:
    'Volumes []Volume, InitContainers []Container, Containers []Container, EphemeralContainers []EphemeralContainer, RestartPolicy string, TerminationGracePeriodSeconds *int, ActiveDeadlineSeconds *int, DNSPolicy string, NodeSelector map string, ServiceAccountName string, AutomountServiceAccountToken *bool, NodeName string, SecurityContext *PodSecurityContext, ImagePullSecrets []LocalObjectReference, Hostname string, Subdomain string, SetHostnameAsFQDN *bool, Affinity *Affinity, SchedulerName string, Tolerations []Toleration, HostAliases []HostAlias, PriorityClassName string, Priority *int, PreemptionPolicy *string, DNSConfig *PodDNSConfig, ReadinessGates []PodReadinessGate, RuntimeClassName *string, Overhead map Quantity, EnableServiceLinks *bool, TopologySpreadConstraints []TopologySpreadConstraint, OS *PodOS, SchedulingGates []PodSchedulingGate, ResourceClaims []PodResourceClaim, Resources *ResourceRequirements, HostnameOverride *string, SchedulingGroup *PodSchedulingGroup',
  PodTemplateSpec: '...ObjectMeta, Spec PodSpec',
  PortworxVolumeSource: 'VolumeID string, FSType string, ReadOnly bool',
  PreferredSchedulingTerm: 'Weight int, Preference NodeSelectorTerm',
  Probe:
    '...ProbeHandler, InitialDelaySeconds int, TimeoutSeconds int, PeriodSeconds int, SuccessThreshold int, FailureThreshold int, TerminationGracePeriodSeconds *int',
  ProbeHandler: 'Exec *ExecAction, HTTPGet *HTTPGetAction, TCPSocket *TCPSocketAction, GRPC *GRPCAction',
  ProjectedVolumeSource: 'Sources []VolumeProjection, DefaultMode *int',
  QuobyteVolumeSource: 'Registry string, Volume string, ReadOnly bool, User string, Group string, Tenant string',
  RBDVolumeSource:
    'CephMonitors []string, RBDImage string, FSType string, RBDPool string, RadosUser string, Keyring string, SecretRef *LocalObjectReference, ReadOnly bool',
  ResourceClaim: 'Name string, Request string',
  ResourceFieldSelector: 'ContainerName string, Resource string, Divisor Quantity',
  ResourceRequirements: 'Limits map Quantity, Requests map Quantity, Claims []ResourceClaim',
  RollingUpdateDaemonSet: 'MaxUnavailable IntOrString, MaxSurge IntOrString',
  RollingUpdateDeployment: 'MaxUnavailable IntOrString, MaxSurge IntOrString',
  RollingUpdateStatefulSetStrategy: 'Partition int, MaxUnavailable *IntOrString',
  SELinuxOptions: 'User string, Role string, Type string, Level string',
  ScaleIOVolumeSource:
    'Gateway string, System string, SecretRef *LocalObjectReference, SSLEnabled bool, ProtectionDomain string, StoragePool string, StorageMode string, VolumeName string, FSType string, ReadOnly bool',
  SeccompProfile: 'Type string, LocalhostProfile *string',
  SecretEnvSource: '...LocalObjectReference, Optional *bool',
  SecretKeySelector: '...LocalObjectReference, Key string, Optional *bool',
  SecretProjection: '...LocalObjectReference, Items []KeyToPath, Optional *bool',
  SecretVolumeSource: 'SecretName string, Items []KeyToPath, DefaultMode *int, Optional *bool',
  SecurityContext:
    'Capabilities *Capabilities, Privileged *bool, SELinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser *int, RunAsGroup *int, RunAsNonRoot *bool, ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount *string, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile',
  ServiceAccountTokenProjection: 'Audience string, ExpirationSeconds int, Path string',
  SleepAction: 'Seconds int',
  StatefulSetUpdateStrategy: 'Type string, RollingUpdate *RollingUpdateStatefulSetStrategy',
  StorageOSVolumeSource:
    'VolumeName string, VolumeNamespace string, FSType string, ReadOnly bool, SecretRef *LocalObjectReference',
  SuccessPolicy: 'Rules []SuccessPolicyRule',
  SuccessPolicyRule: 'SucceededIndexes *string, SucceededCount *int',
  Sysctl: 'Name string, Value string',
  TCPSocketAction: 'Port IntOrString, Host string',
  Toleration: 'Key string, Operator string, Value string, Effect string, TolerationSeconds *int',
  TopologySpreadConstraint:
    'MaxSkew int, TopologyKey string, WhenUnsatisfiable string, LabelSelector *LabelSelector, MinDomains *int, NodeAffinityPolicy *string, NodeTaintsPolicy *string, MatchLabelKeys []string',
  TypedLocalObjectReference: 'APIGroup *string, Kind string, Name string',
  TypedObjectReference: 'APIGroup *string, Kind string, Name string, Namespace *string',
  Volume: 'Name string, ...VolumeSource',
  VolumeDevice: 'Name string, DevicePath string',
  VolumeMount:
    'Name string, ReadOnly bool, RecursiveReadOnly *string, MountPath string, SubPath string, MountPropagation *string, SubPathExpr string',
  VolumeProjection:
    'Secret *SecretProjection, DownwardAPI *DownwardAPIProjection, ConfigMap *ConfigMapProjection, ServiceAccountToken *ServiceAccountTokenProjection, ClusterTrustBundle *ClusterTrustBundleProjection, PodCertificate *PodCertificateProjection',
  VolumeResourceRequirements: 'Limits map Quantity, Requests map Quantity',
  VolumeSource:
    'HostPath *HostPathVolumeSource, EmptyDir *EmptyDirVolumeSource, GCEPersistentDisk *GCEPersistentDiskVolumeSource, AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource, GitRepo *GitRepoVolumeSource, Secret *SecretVolumeSource, NFS *NFSVolumeSource, ISCSI *ISCSIVolumeSource, Glusterfs *GlusterfsVolumeSource, PersistentVolumeClaim *PersistentVolumeClaimVolumeSource, RBD *RBDVolumeSource, Quobyte *QuobyteVolumeSource, FlexVolume *FlexVolumeSource, Cinder *CinderVolumeSource, CephFS *CephFSVolumeSource, Flocker *FlockerVolumeSource, DownwardAPI *DownwardAPIVolumeSource, FC *FCVolumeSource, AzureFile *AzureFileVolumeSource, ConfigMap *ConfigMapVolumeSource, VsphereVolume *VsphereVirtualDiskVolumeSource, AzureDisk *AzureDiskVolumeSource, PhotonPersistentDisk *PhotonPersistentDiskVolumeSource, Projected *ProjectedVolumeSource, PortworxVolume *PortworxVolumeSource, ScaleIO *ScaleIOVolumeSource, StorageOS *StorageOSVolumeSource, CSI *CSIVolumeSource, Ephemeral *EphemeralVolumeSource, Image *ImageVolumeSource',
  VsphereVirtualDiskVolumeSource: 'VolumePath string, FSType string, StoragePolicyName string, StoragePolicyID string',
  WeightedPodAffinityTerm: 'Weight int, PodAffinityTerm PodAffinityTerm',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName *string, GMSACredentialSpec *string, RunAsUserName *string, HostProcess *bool',
} as const satisfies Readonly<Record<string, string>>;
