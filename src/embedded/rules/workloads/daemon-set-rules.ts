import type { DaemonSetObject, DaemonSetSpec } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import type { Draft } from '../../draft.js';
import type { Rules } from '../../kinds/served-kind.js';
import { isEmptySelector, selectorProblems } from '../label-selector.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { internalJson } from '../pod-template/internal-json.js';
import { podTemplateProblems, runsForEver, selectedProblems } from '../pod-template/pod-template-problems.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { goSelector, Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { atMostAll, isNone, numberOrShare } from './int-or-percent.js';
import { immutableSelector, isSame, selectorIn } from './selector-of-workload.js';
import { collisionsKept, nonNegativeCounts, specAndStatusApart, statusOf } from './status-fields.js';

type Spec = Unchecked<DaemonSetSpec>;

const { prepareForCreate, prepareForUpdate } = statusApart({
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
});
/** Counts changes of the template. What once was a field lives on in an annotation. */
const templateGeneration = 'deprecated.daemonset.template.generation';

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
export const daemonSetRules: Rules = {
  ...specAndStatusApart,
  bookmarkAnnotations: { [templateGeneration]: '0' },
  default(object) {
    const set = unchecked<DaemonSetObject>(object);
    set.spec ??= {};
    const { spec } = set;
    spec.template ??= {};
    defaultPodTemplate(spec.template);
    spec.updateStrategy ??= {};
    spec.updateStrategy.type ||= 'RollingUpdate';
    if (spec.updateStrategy.type === 'RollingUpdate') {
      spec.updateStrategy.rollingUpdate ??= {};
      spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
      spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    // The annotation is part of every body, so that whoever writes one owns it.
    setTemplateGeneration(object, templateGenerationOf(object));
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosedFields(unchecked<DaemonSetObject>(object).spec?.template?.spec);
    setTemplateGeneration(object, Math.max(templateGenerationOf(object), 1));
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    const { spec } = unchecked<DaemonSetObject>(object);
    dropClosedFields(spec?.template?.spec);
    const hasChanged = !isSame(spec?.template, unchecked<DaemonSetObject>(old).spec?.template);
    setTemplateGeneration(object, templateGenerationOf(old) + (hasChanged ? 1 : 0));
  },
  prepareForStatusUpdate(object, old) {
    keepSpec(object, old);
    setTemplateGeneration(object, templateGenerationOf(old));
  },
  validate(object) {
    const found = new Problems();
    specProblems(found, object);
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    const now = selectorIn(unchecked<DaemonSetObject>(object).spec);
    const before = selectorIn(unchecked<DaemonSetObject>(old).spec);
    immutableSelector(found, 'spec.selector', now, before);
    specProblems(found, object);
    return found.all;
  },
  validateStatusUpdate(object, old) {
    const found = new Problems();
    const status = statusOf(object);
    nonNegativeCounts(found, status, 'currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled');
    nonNegativeCounts(found, status, 'numberReady', 'observedGeneration', 'updatedNumberScheduled');
    nonNegativeCounts(found, status, 'numberAvailable', 'numberUnavailable', 'collisionCount');
    collisionsKept(found, status, statusOf(old));
    return found.all;
  },
  generation: 'spec',
  warnings(object, old) {
    const template = unchecked<DaemonSetObject>(object).spec?.template ?? {};
    if (old === undefined) return podTemplateWarnings('spec.template', template);
    if (templateGenerationOf(object) === templateGenerationOf(old)) return [];
    return podTemplateWarnings('spec.template', template);
  },
};

function templateGenerationOf(object: Draft | KubeObject): number {
  const text = object.metadata.annotations?.[templateGeneration];
  return text !== undefined && /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}

function setTemplateGeneration(object: Draft, generation: number): void {
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
}

function specProblems(found: Problems, object: KubeObject): void {
  const { spec = {} } = unchecked<DaemonSetObject>(object);
  const selector = selectorIn(spec);
  const template = spec.template ?? {};
  const problems = selectorProblems(selector, 'spec.selector');
  found.add(problems);
  if (problems.length === 0) selectedProblems(found, 'spec.template', template, selector);
  if (selector !== undefined && isEmptySelector(selector)) {
    found.invalidShown('spec.selector', goSelector(selector), 'empty selector is invalid for daemonset');
  }
  podTemplateProblems(found, 'spec.template', template);
  runsForEver(found, 'spec.template', template, 'DaemonSet');
  found.nonNegative('spec.minReadySeconds', spec.minReadySeconds);
  found.nonNegative('spec.templateGeneration', templateGenerationOf(object));
  strategyProblems(found, 'spec.updateStrategy', spec.updateStrategy ?? {});
  found.nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
}

function strategyProblems(found: Problems, path: string, strategy: NonNullable<Spec['updateStrategy']>): void {
  const { type = '', rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const shown = internalJson('DaemonSetUpdateStrategy', strategy);
    found.notSupportedShown(path, shown, ['RollingUpdate', 'OnDelete']);
    return;
  }
  if (!rollingUpdate) {
    found.required(`${path}.rollingUpdate`);
    return;
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const at = `${path}.rollingUpdate`;
  numberOrShare(found, `${at}.maxUnavailable`, maxUnavailable);
  numberOrShare(found, `${at}.maxSurge`, maxSurge);
  atMostAll(found, `${at}.maxUnavailable`, maxUnavailable);
  atMostAll(found, `${at}.maxSurge`, maxSurge);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    found.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  } else if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    found.invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
}
