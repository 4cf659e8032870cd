/** Labels of an object of the install called `name`. https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
export function labelsOf(name: string, component: Component): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/component': component,
    'app.kubernetes.io/part-of': name,
    'app.kubernetes.io/managed-by': 'kilter',
  };
}

export type Component =
  | 'namespace'
  | 'crd'
  | 'rbac'
  | 'controller'
  | 'network-policy'
  | 'metrics'
  | 'webhooks'
  | 'admission';

/** What finds the operator's pods. Immutable in a Deployment, so it never grows. */
export function selectorOf(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'control-plane': 'controller-manager' };
}
