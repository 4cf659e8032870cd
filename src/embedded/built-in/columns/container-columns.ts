import type { Container, LabelSelector } from '../../../../imports/k8s.js';
import type { TableColumn } from '../../kinds/served-kind.js';
import { column, wide } from './column.js';
import { selectorText } from './labels-text.js';

/** What `-o wide` shows of the containers of a template. */
export function containerColumns<T>(containersOf: (object: T) => readonly Container[] | undefined): TableColumn[] {
  const listed = (object: T, text: (container: Container) => string | undefined) =>
    (containersOf(object) ?? []).map((each) => text(each) ?? '').join(',');
  return [
    column<T>('Containers', (object) => listed(object, ({ name }) => name), wide),
    column<T>('Images', (object) => listed(object, ({ image }) => image), wide),
  ];
}

/** What `-o wide` shows of a label selector. */
export function selectorColumn<T>(selectorOf: (object: T) => LabelSelector | undefined, none = '<none>'): TableColumn {
  return column<T>('Selector', (object) => selectorText(selectorOf(object)) || none, wide);
}
