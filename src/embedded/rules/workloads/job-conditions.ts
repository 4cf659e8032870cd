import type { JobObject } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';

export function isTrue(job: Unchecked<JobObject>, type: string): boolean {
  return has(job, type, 'True');
}

export function has(job: Unchecked<JobObject>, type: string, status: string): boolean {
  return job.status?.conditions?.some((each) => each.type === type && each.status === status) ?? false;
}

export function isFinished(job: Unchecked<JobObject>): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}
