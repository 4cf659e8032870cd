import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { packageRoot } from './cluster/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** What the README asks for. */
const [, node = ''] = /Node (\d+)\.\d+, [\d.]+ or later/.exec(read('README.md')) ?? [];
const [, go = ''] = /Go (\d+\.\d+) builds/.exec(read('README.md')) ?? [];

describe('continuous integration', () => {
  it('runs .ci/run with the Node and the Go that the README asks for, and keeps the control plane', () => {
    const { jobs } = parse(read('.github/workflows/ci.yaml')) as {
      readonly jobs: { readonly run: { readonly steps: readonly Step[] } };
    };
    const { steps } = jobs.run;
    const withOf = (action: string) => steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with;
    expect(steps[0]?.uses).toMatch(/^actions\/checkout@/);
    expect(withOf('setup-node')).toMatchObject({ 'node-version': node });
    expect(withOf('setup-go')).toMatchObject({ 'go-version': go });
    expect(withOf('cache')).toMatchObject({ path: '~/.cache/kilter/control-plane' });
    expect(steps.at(-1)).toEqual({ run: 'bash .ci/run' });
  });

  it('has a container to develop in with the same', () => {
    const { image, features } = JSON.parse(read('.devcontainer/devcontainer.json')) as {
      readonly image: string;
      readonly features: Readonly<Record<string, { readonly version: string }>>;
    };
    expect(image).toMatch(new RegExp(`:${node}\\b`));
    expect(Object.values(features)).toEqual([{ version: go }]);
  });
});
