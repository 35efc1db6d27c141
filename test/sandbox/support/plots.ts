/** What is played over the sandbox: a policy as an archive, and who does what in it until tokens are minted. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine } from '@blockwork/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Step {
  readonly n: number;
  readonly as: string;
  readonly method: string;
  readonly tag: string;
  readonly body?: unknown;
  readonly save?: Readonly<
    Record<string, { readonly path?: string; readonly where?: Readonly<Record<string, unknown>> }>
  >;
}

export interface Plot {
  readonly name: string;
  readonly archive: Uint8Array;
  readonly steps: readonly Step[];
  /** Tags of the grid of presentations and of the report, both for the owner. */
  readonly grid: string;
  readonly report: string;
  readonly form: string;
  /** Amount of the mint, as its credential has it. */
  readonly minted: string;
}

type ScriptStep = Step & { readonly expect?: { readonly error?: string; readonly available?: boolean } };

/** Without the steps that are refused, and without looking at grids for the sake of it. */
const playable = (script: readonly ScriptStep[]): Step[] =>
  script.filter(
    ({ method, save, expect = {} }) =>
      expect.error === undefined && expect.available !== false && (method === 'POST' || save !== undefined),
  );

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const owner = { did: 'did:example:author', role: 'STANDARD_REGISTRY' };

/** The example policy with a grid of presentations and a report, so that it has a trust chain. */
async function ownPlot(): Promise<Plot> {
  const file = fileURLToPath(new URL('../../../examples/test-a-policy/sunlight.policy.json', import.meta.url));
  const script = fileURLToPath(new URL('../../scenarios/own/sunlight.json', import.meta.url));
  const policy = json(file) as { config: { children: { tag: string; children: unknown[] }[] } };
  const block = (blockType: string, tag: string, options: object = {}): object => ({
    ...{ blockType, tag, permissions: ['OWNER'], defaultActive: true, children: [], ...options },
  });
  policy.config.children
    .find(({ tag }) => tag === 'registry')
    ?.children.push(
      block('interfaceDocumentsSourceBlock', 'vp_grid', {
        uiMetaData: {
          fields: [{ name: 'hash', title: 'Trust chain', type: 'button', action: 'link', bindBlock: 'chain' }],
        },
        children: [
          block('documentsSourceAddon', 'minted', {
            ...{ dataType: 'vp-documents', filters: [{ type: 'equal', field: 'type', value: 'mint' }] },
          }),
        ],
      }),
      block('reportBlock', 'chain'),
    );
  const engine = createEngine({ blocks: standardBlocks(), drafts: 'shared' });
  const imported = await engine.importPolicy(owner, policy);
  const archive = await engine.exportPolicy(owner, imported.policy.id);
  await engine.close();
  const steps = playable(json(script) as ScriptStep[]);
  return { name: 'sunlight', archive, steps, grid: 'vp_grid', report: 'chain', form: 'report', minted: '12.50' };
}

const [policies, scenarios] = [process.env['BLOCKWORK_REAL_POLICIES'], process.env['BLOCKWORK_SCENARIOS']];

function realPlot(): Plot[] {
  if (policies === undefined || scenarios === undefined) {
    process.stderr.write(
      'Skipped: clients of the sandbox over a real policy. BLOCKWORK_REAL_POLICIES and BLOCKWORK_SCENARIOS name no folders.\n',
    );
    return [];
  }
  const name = 'dovu-agrecalc-v2';
  const archive = new Uint8Array(readFileSync(join(policies, `${name}.policy`)));
  // Up to the trust chain, which each client reads in its own way.
  const steps = playable(json(join(scenarios, `${name}.json`)) as ScriptStep[]).filter(({ n }) => n < 30);
  const tags = { grid: 'vp_grid', report: 'trustChainBlock', form: 'create_application' };
  return [{ name, archive, steps, ...tags, minted: '12.3457' }];
}

export const plots: readonly Plot[] = [await ownPlot(), ...realPlot()];
