/** A family of samples as the text format has it. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The value of the sample with exactly these labels; undefined when there is none. */
export function sampleOf(
  families: readonly Family[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = seriesOf(name, labels);
  return families.flatMap(({ samples }) => samples).find((sample) => seriesOf(sample.name, sample.labels) === wanted)
    ?.value;
}

/**
 * Reads the text format as Prometheus does, and is as strict as `promtool check metrics`: throws at what either would
 * complain of. https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
export function parseExposition(text: string): readonly Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment) {
      const [, what, name = '', rest = ''] = comment;
      if (what === 'HELP') {
        if (families.has(name)) throw new Error(`${name} is described twice`);
        families.set(name, { name, type: 'untyped', help: rest, samples: [] });
        current = name;
        continue;
      }
      const family = families.get(name);
      if (!family || family.samples.length > 0) throw new Error(`the type of ${name} stands in the wrong place`);
      family.type = rest;
      continue;
    }
    if (line.startsWith('#')) throw new Error(`a comment that is neither HELP nor TYPE: ${line}`);
    const sample = parseSample(line);
    const family = families.get(current);
    if (!family || !belongs(sample.name, family)) throw new Error(`a sample outside of its family: ${line}`);
    const series = seriesOf(sample.name, sample.labels);
    if (seen.has(series)) throw new Error(`twice: ${series}`);
    seen.add(series);
    family.samples.push(sample);
  }
  const all = [...families.values()];
  for (const family of all) check(family);
  return all;
}

function parseSample(line: string): Sample {
  const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (!match) throw new Error(`no sample: ${line}`);
  const [, name = '', inner = '', value = ''] = match;
  const labels: Record<string, string> = {};
  const pair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
  while (pair.lastIndex < inner.length) {
    const found = pair.exec(inner);
    if (!found) throw new Error(`no labels: ${line}`);
    const [, label = '', text = ''] = found;
    if (label in labels) throw new Error(`the label ${label} twice: ${line}`);
    labels[label] = text;
  }
  const number =
    value === '+Inf' ? Number.POSITIVE_INFINITY : value === '-Inf' ? Number.NEGATIVE_INFINITY : Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`no number: ${line}`);
  return { name, labels, value: number };
}

function belongs(sample: string, { name, type }: Family): boolean {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample) : sample === name;
}

function check({ name, type, help, samples }: Family): void {
  if (help.trim() === '') throw new Error(`${name} has no help`);
  if (!['counter', 'gauge', 'histogram'].includes(type)) throw new Error(`${name} is of the type ${type}`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`a ${type} must not be called ${name}`);
  if (/(milli|micro|nano)seconds|_(ms|minutes|hours|percent|kilobytes)(_|$)/.test(name)) {
    throw new Error(`${name} is not in base units`);
  }
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below zero`);
  if (type === 'histogram') checkHistogram(name, samples);
}

/** Buckets never fall, end with +Inf, and that one is the count. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const bySeries = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    bySeries.set(key, [...(bySeries.get(key) ?? []), sample]);
  }
  for (const series of bySeries.values()) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)));
    const isSorted = bounds.every((bound, index) => index === 0 || bound > bounds[index - 1]!);
    const isRising = buckets.every(({ value }, index) => index === 0 || value >= buckets[index - 1]!.value);
    const count = series.find((sample) => sample.name === `${name}_count`)?.value;
    const sum = series.find((sample) => sample.name === `${name}_sum`)?.value;
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && buckets.at(-1)?.value === count;
    if (!isSorted || !isRising || !isWhole || sum === undefined) throw new Error(`${name} is no sound histogram`);
  }
}

function seriesOf(name: string, labels: Readonly<Record<string, string>>): string {
  return `${name}${JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
