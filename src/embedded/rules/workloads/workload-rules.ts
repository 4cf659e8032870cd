import type { CronJobObject, PodTemplateObject } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import { tellingOfPodSecurity } from '../pod-security/pod-security.js';
import { unchecked } from '../unchecked.js';
import { controllerRevisionRules } from './controller-revision-rules.js';
import { cronJobRules } from './cron-job-rules.js';
import { daemonSetRules } from './daemon-set-rules.js';
import { deploymentRules } from './deployment-rules.js';
import { jobRules } from './job-rules.js';
import { podRules } from './pod-rules.js';
import { podTemplateRules } from './pod-template-rules.js';
import { replicaSetRules } from './replica-set-rules.js';
import { replicationControllerRules } from './replication-controller-rules.js';
import { statefulSetRules } from './stateful-set-rules.js';

/** The rules of what runs containers, and of what makes such: https://kubernetes.io/docs/concepts/workloads/ */
export const workloadRules: Readonly<Record<string, Rules>> = {
  pods: podRules,
  podtemplates: tellingOfPodSecurity(podTemplateRules, (object) => unchecked<PodTemplateObject>(object).template),
  replicationcontrollers: tellingOfPodSecurity(replicationControllerRules),
  'controllerrevisions.apps': controllerRevisionRules,
  'cronjobs.batch': tellingOfPodSecurity(
    cronJobRules,
    (object) => unchecked<CronJobObject>(object).spec?.jobTemplate?.spec?.template,
  ),
  'daemonsets.apps': tellingOfPodSecurity(daemonSetRules),
  'deployments.apps': tellingOfPodSecurity(deploymentRules),
  'jobs.batch': tellingOfPodSecurity(jobRules),
  'replicasets.apps': tellingOfPodSecurity(replicaSetRules),
  'statefulsets.apps': tellingOfPodSecurity(statefulSetRules),
};
