import { labelsOf } from '../../compose/child.js';
import type { Operator } from '../../compose/operator.js';
import { isOutlived } from '../../compose/removal-field.js';
import type { Bond } from '../../drift/bond.js';
import type { KubeObject } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';

/** How the children of `cr` are bound to it. */
export function bondOf({ resource, removalOf }: Operator, cr: KubeObject): Bond {
  const { apiVersion, kind } = resource;
  const seen = { ...cr, apiVersion, kind };
  const { namespace } = cr.metadata;
  const reference = controllerReferenceTo(seen);
  const labels = labelsOf({ resource, namespace, owner: reference });
  return { reference, labels, namespace, isOutlived: isOutlived(removalOf, seen) };
}
