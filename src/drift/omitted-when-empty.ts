/**
 * Names of fields of built-in kinds in which the API server stores no empty value: not to be there is what was asked for.
 * Under any other name zero, false, empty text or an empty map is stored, and where it is missing somebody removed it.
 *
 * The words are written by `UPDATE_GOLDEN=1 npm test -- test/drift/omitted-when-empty`, from the Go types of Kubernetes.
 * A name that is one kind of field here and another there counts as not stored: that costs an alarm after a restart, and
 * never raises a false one.
 */
export const omittedWhenEmpty: ReadonlySet<string> = wordsOf(`
$schema action allocationMode annotations apiGroup apiVersion attributes audience binaryData caBundle capacity
certificateChainPath chapAuthDiscovery chapAuthSession clusterIP clusterScope component concurrencyPolicy containerName
controller count counters creationTimestamp credentialBundlePath data datasetName datasetUUID default defaultRequest
definitions dependencies deprecated deprecatedCount deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedTopology
description directory divisor dnsPolicy effect eventTime exclusiveMaximum exclusiveMinimum expression externalID
externalName externalTrafficPolicy extra failureThreshold fieldPath fieldsType firstTimestamp format fsType
generateName generation globalDefault group hard healthCheckNodePort host hostIP hostIPC hostNetwork hostPID hostPort
hostname id image imagePullPolicy initialDelaySeconds iscsiInterface key keyPath keyType keyring kind labels
lastObservedTime lastTimestamp level limits listKind loadBalancerIP manager matchLabels max maxLimitRequestRatio medium
message messageExpression min minReadySeconds name namespace nodeAllocatableResourceMappings nodeName nodePort
nodeSelector note nullable number operation operator options overhead parameters partition path pattern
patternProperties paused periodSeconds persistentVolumeReclaimPolicy podCIDR podFixed podManagementPolicy policyName
pool prefix preserveUnknownFields priority priorityClassName properties protectionDomain protocol providerID
publishNotReadyAddresses pullPolicy readOnly reason reference reinvocationPolicy reportingController reportingInstance
request requests resource resourceVersion restartPolicy revision role schedulerName scheme secretFile secretName
selector selfLink serviceAccount serviceAccountName sessionAffinity signerName singular sslEnabled stdin stdinOnce
storageClassName storageMode storagePolicyID storagePolicyName storagePool stringData subPath subPathExpr subdomain
subresource successThreshold targetContainerName targetPort tenant terminationMessagePath terminationMessagePolicy
timeoutSeconds title tty type uid uniqueItems unschedulable url user userAnnotations username value volumeAttributes
volumeName volumeNamespace whenDeleted whenScaled workingDir x-kubernetes-embedded-resource x-kubernetes-int-or-string
`);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
