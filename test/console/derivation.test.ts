/** How did this number come about? From a calculated field back to the form that somebody filled in. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { alice, owner, type ConsoleWorld } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';

const YIELD = '#5a1e0000-0000-4000-8000-000000000002';
const REPORT = '#5a1e0000-0000-4000-8000-000000000001';

interface Block {
  readonly tag: string;
  readonly children?: readonly Block[];
}

/** The example policy, in which a report is followed by a document that is calculated of it. */
async function calculatingPolicy(): Promise<object> {
  const file = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);
  const policy = JSON.parse(await readFile(file, 'utf8')) as { config: Block; schemas: object[] };
  const block = (blockType: string, tag: string, rest: object): Block => ({
    ...{ id: `00000000-0000-4000-8000-${tag.length.toString().padStart(12, '0')}`, blockType, tag },
    ...{ permissions: ['Producer'], defaultActive: true, ...rest },
  });
  const field = (name: string, value = name) => ({ name, title: name, value });
  const equation = (variable: string, formula: string) => ({ variable, formula, role: '' });
  const calculating = [
    block('calculateContainerBlock', 'work_out', {
      ...{ inputSchema: REPORT, outputSchema: YIELD, inputFields: [field('kilowattHours', 'energy')] },
      outputFields: [field('credits'), field('tonnes')],
      children: [
        block('calculateMathAddon', 'formulas', {
          equations: [equation('tonnes', 'energy * 0.4'), equation('credits', 'floor(tonnes)')],
        }),
      ],
    }),
    block('sendToGuardianBlock', 'save_yield', {
      ...{ dataSource: 'database', documentType: 'vc', entityType: 'yield', stopPropagation: true },
    }),
  ];
  const withCalculation = (block: Block): Block => ({
    ...block,
    children: (block.children ?? []).flatMap((child) =>
      child.tag === 'save_report' ? [{ ...child, stopPropagation: false }, ...calculating] : [withCalculation(child)],
    ),
  });
  const number = { type: 'number' };
  const document = { $id: YIELD, type: 'object', properties: { credits: number, tonnes: number } };
  return {
    ...policy,
    name: 'Sunlight, worked out',
    schemas: [...policy.schemas, { iri: YIELD, name: 'Yield', document }],
    config: withCalculation(policy.config),
  };
}

describe.skipIf(chromiumPath === undefined)('A calculated number', () => {
  let journey: Journey;
  let policyId: string;

  const before = async ({ engine }: ConsoleWorld): Promise<void> => {
    const { policy } = await engine.importPolicy(owner, await calculatingPolicy());
    policyId = policy.id;
    await engine.lifecycle.dryRun(owner, policyId);
    await engine.sendToBlock(alice, policyId, { tag: 'choose_role' }, { role: 'Producer' });
    const report = { document: { site: '<b>Roof</b>', kilowattHours: 12.5 }, ref: null };
    await engine.sendToBlock(alice, policyId, { tag: 'report' }, report);
  };

  beforeAll(async () => {
    journey = await openJourney({ at: () => '/policies', people: [alice, owner], before });
  });
  afterAll(async () => journey.close());

  it('names the block, the formulas and the document it was computed from', async () => {
    const { page, window } = journey;
    await window.open(`/policies/${policyId}/documents`);
    await page.getByRole('link', { name: 'yield' }).click();
    const card = page.getByRole('region', { name: 'How were these values derived?' });
    await card.getByRole('link', { name: 'work_out' }).waitFor();
    expect(await card.getByText('recomputed: same value').count()).toBe(2);
    await card.locator('summary').filter({ hasText: 'credits' }).click();
    const steps = card.getByRole('listitem').filter({ has: page.getByText('floor(tonnes) =') });
    await steps.first().waitFor();
    expect(await card.getByText('energy * 0.4 =', { exact: true }).filter({ visible: true }).count()).toBe(1);
    await expectNothingFromAxe(page);
  });

  it('links to the source document and back', async () => {
    const { page } = journey;
    const card = page.getByRole('region', { name: 'How were these values derived?' });
    await card.getByRole('link', { name: 'report', exact: true }).first().click();
    await page.getByRole('heading', { name: 'report', level: 2 }).waitFor();
    await card.getByText('No formula and no script of the policy calculates this document.').waitFor();
    await page.goBack();
    await card.getByRole('link', { name: 'work_out' }).waitFor();
  });

  it('links to its unit of work in the block tree', async () => {
    const { page } = journey;
    await page.getByRole('link', { name: 'Unit of work that created it' }).click();
    await page.getByText(/report → .*work_out → .*save_yield/).waitFor();
    expect(journey.window.watched.problems).toEqual([]);
  });

  it('is hidden from users who may not read the documents', async () => {
    const { page, window } = journey;
    const { engine } = journey.world;
    const [document] = (await engine.documents.list(owner, policyId, { type: 'yield' })).items;
    await window.actAs('alice');
    await window.open(`/policies/${policyId}/documents/${document?.id ?? ''}`);
    const card = page.getByRole('region', { name: 'How were these values derived?' });
    await card.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    expect(await page.getByText('energy * 0.4').count()).toBe(0);
  });
});
