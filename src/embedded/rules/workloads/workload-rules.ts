import type { Rules } from '../../kinds/served-kind.js';
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
  podtemplates: podTemplateRules,
  replicationcontrollers: replicationControllerRules,
  'controllerrevisions.apps': controllerRevisionRules,
  'cronjobs.batch': cronJobRules,
  'daemonsets.apps': daemonSetRules,
  'deployments.apps': deploymentRules,
  'jobs.batch': jobRules,
  'replicasets.apps': replicaSetRules,
  'statefulsets.apps': statefulSetRules,
};
