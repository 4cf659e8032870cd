import { showNumber } from './spread.js';

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
  readonly digits?: number;
}

const width = 300;
const height = 220;
const margin = { left: 56, right: 12, top: 34, bottom: 42 };
/** Told apart by people who see no red or green, too: https://jfly.uni-koeln.de/color/ */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

/** Panels side by side, over the number of custom resources, both axes logarithmic. Values below the least are left out. */
export function plot(panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const total = { width: panels.length * width, height: height + 24 };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total.width} ${total.height}" font-family="sans-serif" font-size="11">`,
    `<title>${escaped(panels.map(({ title }) => title).join('; '))}; over the number of custom resources</title>`,
    '<rect width="100%" height="100%" fill="white"/>',
    ...panels.map((panel, index) => panelAt(index * width, panel, names)),
    ...names.map(
      (name, index) =>
        `<g transform="translate(${margin.left + index * 150} ${height + 12})"><line x2="18" stroke="${colourOf(name, names)}" stroke-width="2"/><text x="24" y="4">${escaped(name)}</text></g>`,
    ),
    '</svg>\n',
  ].join('\n');
}

function panelAt(left: number, { title, series, digits = 0 }: Panel, names: readonly string[]): string {
  const points = series.flatMap((each) => each.points).filter(({ x, y }) => x > 0 && y > 0);
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
  const xs = decades(points.map(({ x }) => x));
  const ys = decades(points.map(({ y }) => y));
  const x = (value: number) => margin.left + share(value, xs) * inner.width;
  const y = (value: number) => margin.top + (1 - share(value, ys)) * inner.height;
  return [
    `<g transform="translate(${left} 0)">`,
    `<text x="${margin.left}" y="18" font-weight="bold">${escaped(title)}</text>`,
    ...ticks(ys).map(
      (tick) =>
        `<line x1="${margin.left}" x2="${width - margin.right}" y1="${round(y(tick))}" y2="${round(y(tick))}" stroke="#ddd"/><text x="${margin.left - 5}" y="${round(y(tick) + 4)}" text-anchor="end">${showTick(tick)}</text>`,
    ),
    ...ticks(xs).map(
      (tick) =>
        `<line x1="${round(x(tick))}" x2="${round(x(tick))}" y1="${margin.top}" y2="${height - margin.bottom}" stroke="#ddd"/><text x="${round(x(tick))}" y="${height - margin.bottom + 15}" text-anchor="middle">${showTick(tick)}</text>`,
    ),
    `<text x="${margin.left + inner.width / 2}" y="${height - 12}" text-anchor="middle">custom resources</text>`,
    ...series.map(({ name, points: all }) => {
      const shown = all.filter((point) => point.x > 0 && point.y > 0);
      const colour = colourOf(name, names);
      const path = shown.map((point) => `${round(x(point.x))},${round(y(point.y))}`).join(' ');
      const dots = shown.map(
        (point) =>
          `<circle cx="${round(x(point.x))}" cy="${round(y(point.y))}" r="3" fill="${colour}"><title>${escaped(name)}: ${showNumber(point.y, digits)} at ${showNumber(point.x)}</title></circle>`,
      );
      return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`;
    }),
    '</g>',
  ].join('\n');
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The whole powers of ten around `values`. */
function decades(values: readonly number[]): Range {
  if (values.length === 0) return { from: 0, to: 1 };
  const from = Math.floor(Math.log10(Math.min(...values)));
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

function ticks({ from, to }: Range): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

const share = (value: number, { from, to }: Range): number => (Math.log10(value) - from) / (to - from);
const round = (value: number): number => Math.round(value * 10) / 10;
const showTick = (value: number): string => (value >= 1 ? showNumber(value) : String(Number(value.toPrecision(1))));
const colourOf = (name: string, names: readonly string[]): string => colours[names.indexOf(name) % colours.length]!;
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
