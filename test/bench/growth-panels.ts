import type { Growth } from './growth.js';
import { megabytes } from './megabytes.js';
import type { Panel } from './plot.js';

/** What the plot beside the report shows. */
export function growthPanels(growth: readonly Growth[]): Panel[] {
  const panel = (title: string, digits: number, value: (point: Growth['points'][number]) => number): Panel => ({
    title,
    digits,
    series: growth.map(({ contender, points }) => ({
      name: contender,
      points: points.map((point) => ({ x: point.customResources, y: value(point) })),
    })),
  });
  return [
    panel('RSS, MB', 0, ({ rest }) => megabytes(rest.rss)),
    panel('in sync after a restart, s', 2, ({ restart }) => restart.seconds),
    panel('CPU at rest, % of a core', 2, ({ rest }) => rest.cpuPercent),
  ];
}
