import type { Problems } from '../problems.js';

const supported = ['Always', 'IfNotPresent', 'Never'];

export function pullPolicyProblems(found: Problems, path: string, policy = ''): void {
  if (policy === '') found.required(path);
  else if (!supported.includes(policy)) found.notSupported(path, policy, supported);
}
