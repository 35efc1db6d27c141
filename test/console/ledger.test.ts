/** What the console shows of an external ledger: policies and schemas that others published on it, and the checkpoints that were sent to it. */
import { readFile } from 'node:fs/promises';
import type { Ledger, LedgerEffect, PublicationSource } from '@blockwork/core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNothingFromAxe } from './support/axe.js';
import { chromiumPath } from './support/browser.js';
import { owner } from './support/console-world.js';
import { openJourney, type Journey } from './support/journey.js';
import { takePicture } from './support/picture.js';

const sunlight = new URL('../../examples/test-a-policy/sunlight.policy.json', import.meta.url);
const PUBLISHED = '1706823227.586179534';
const SCHEMA = '1706823228.000000001';
const depth = { title: 'Depth', description: 'Depth', type: 'number', readOnly: false };
const well = { $id: '#c0ffee00-0000-4000-8000-000000000001&1.0.0', type: 'object', properties: { depth } };

/** A ledger that settles everything at once, and gives each message an id of its own. */
class QuickLedger implements Ledger {
  readonly messages = new Map<string, string>();
  readonly ids = {
    idOf: (_policyId: string, of: 'token' | 'message', local: string): Promise<string | undefined> =>
      Promise.resolve(of === 'message' ? this.messages.get(local) : `0.0.${local}`),
  };

  check(): Promise<void> {
    return Promise.resolve();
  }

  settle({ messageId }: LedgerEffect): Promise<void> {
    if (messageId !== undefined) this.messages.set(messageId, `1800000000.00000000${String(this.messages.size)}`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What the mirror and the gateway give, and how they fail. */
const publications: PublicationSource & { failure: Error | undefined } = {
  failure: undefined,
  async read(messageId) {
    if (this.failure !== undefined) throw this.failure;
    if (messageId === SCHEMA) {
      const schema = {
        iri: well.$id,
        name: 'Well',
        entity: 'VC',
        version: '1.0.0',
        status: 'PUBLISHED',
        document: well,
      };
      const file = Buffer.from(JSON.stringify(schema));
      return { kind: 'schema', name: 'Well', file };
    }
    if (messageId !== PUBLISHED) return undefined;
    const policy = JSON.parse(await readFile(sunlight, 'utf8')) as { name: string; policyTag: string };
    const file = Buffer.from(JSON.stringify({ ...policy, name: 'From afar', policyTag: 'from_afar' }));
    return { kind: 'policy', name: policy.name, file };
  },
};

describe.skipIf(chromiumPath === undefined)('With a ledger, the console', () => {
  let journey: Journey;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney({
      at: () => '/policies',
      people: [owner],
      engine: { ledger: new QuickLedger(), publications, witnessMinutes: 60 },
      before: async ({ engine, policyId }) => {
        await engine.lifecycle.publish(owner, policyId, '1.0.0');
      },
    });
    ({ page } = journey);
  });
  afterAll(async () => journey.close());

  const fits = async (name: string): Promise<void> => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect({ name, width, beyond: Math.max(0, beyond) }).toEqual({ name, width, beyond: 0 });
      await takePicture(page, `${name}-${String(width)}`);
    }
  };
  const importing = async (messageId: string): Promise<void> => {
    await page.getByLabel('Id of the message').fill(messageId);
    await page.getByRole('button', { name: 'Import by message' }).click();
  };

  it('says what is wrong with a message that cannot be imported, and what to do', async () => {
    await page.getByRole('button', { name: 'New policy' }).click();
    await importing('1706823227.000000001');
    await page.getByRole('alert').getByText('The ledger has no message "1706823227.000000001".').waitFor();
    await page.getByText('Compare the id with what you were given.').waitFor();
    publications.failure = new Error('the mirror answers 503');
    await importing(PUBLISHED);
    await page.getByRole('alert').getByText('cannot be imported: the mirror answers 503.').waitFor();
    await page.getByText('If the mirror or the gateway is away, try again later').waitFor();
    publications.failure = new Error('block bafy of the file has another hash');
    await importing(PUBLISHED);
    await page.getByRole('alert').getByText('has another hash').waitFor();
    await page.getByText('the file is not the one that was published').waitFor();
    await expectNothingFromAxe(page);
    await fits('import-message');
  });

  it('asks for an id of the right form before it asks anybody', async () => {
    await importing('0.0.1234');
    const isValid = await page.evaluate<boolean>('document.querySelector("input[pattern]").validity.valid');
    expect(isValid).toBe(false);
  });

  it('imports a policy by the id of its message', async () => {
    publications.failure = undefined;
    await importing(` ${PUBLISHED} `);
    await page.getByRole('heading', { level: 1, name: 'From afar' }).waitFor();
    const { items } = await journey.world.engine.listPolicies(owner);
    expect(items.map(({ name }) => name)).toContain('From afar');
  });

  it('imports a schema into a draft by the id of its message, and says that another time changes nothing', async () => {
    const { items } = await journey.world.engine.listPolicies(owner);
    const draft = items.find(({ name }) => name === 'From afar')?.id ?? '';
    await journey.window.open(`/policies/${draft}/schemas`);
    await page.getByRole('button', { name: 'Import from a ledger' }).click();
    await importing('1706823227.000000001');
    await page.getByRole('alert').getByText('The ledger has no message').waitFor();
    await page.getByText('Compare the id with what you were given.').waitFor();
    await expectNothingFromAxe(page);
    await fits('import-schema');
    await importing(` ${SCHEMA} `);
    await page.getByText('Imported “Well”.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Well' }).first().waitFor();
    await page.getByRole('button', { name: 'Import from a ledger' }).click();
    await importing(SCHEMA);
    await page.getByText('“Well” is as it was published.').waitFor();
  });

  it('shows operators the newest checkpoint of each log with its message', async () => {
    await journey.window.open('/operator');
    await page.getByRole('heading', { name: 'Checkpoints on the ledger' }).waitFor();
    await page.getByText(/^1800000000\.\d{9}$/).waitFor();
    await expectNothingFromAxe(page);
    await fits('witnesses');
  });
});
