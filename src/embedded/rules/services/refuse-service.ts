import type { FieldProblem } from '../../../schema/field-problem.js';
import { invalid, type StatusError } from '../../status-error.js';
import type { Service } from './service.js';

/** The refusal of a service for what could not be allocated, which the server says before it says anything else. */
export function refuseService(service: Service, problems: readonly FieldProblem[]): StatusError {
  return invalid({ group: '', name: 'Service' }, service.metadata.name ?? '', problems);
}
