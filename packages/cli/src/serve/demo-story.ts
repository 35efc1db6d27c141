/**
 * The history of the demonstration: what its users have already done in the example policy. Everything is sent through
 * the engine as real users would, so that signatures, certificates and the journal are real.
 */
import { isBlockworkError, type Caller, type Json, type PolicyEngine } from '@blockwork/core';

export const storyPolicy = 'energy-certificates';

const user = (name: string): Caller => ({ did: `did:example:${name}`, username: name, role: 'USER' });

/** Anna founded a cooperative, Ben joined it, Vera verifies, and Carl has just applied. */
export const storyPeople = { anna: user('anna'), ben: user('ben'), carl: user('carl'), vera: user('vera') };

interface Row {
  readonly document: { readonly credentialSubject: readonly { readonly month?: string }[] };
  readonly option?: { readonly status?: string };
  readonly owner: string;
}

/**
 * Plays the remaining part of the story. Each step is idempotent, so an interrupted start is completed by the next.
 * Resolves to false if the policy is not here.
 */
export async function tellStory(engine: PolicyEngine, registry: Caller): Promise<boolean> {
  try {
    await engine.getPolicy(registry, storyPolicy);
  } catch (error) {
    if (isBlockworkError(error, 'POLICY_UNKNOWN')) return false;
    throw error;
  }
  const story = new Story(engine, registry);
  await story.publish();
  await story.takeRoles();
  await story.registerSite();
  await story.reportReadings();
  await story.awaitDecisions();
  return true;
}

class Story {
  constructor(
    private readonly engine: PolicyEngine,
    private readonly registry: Caller,
  ) {}

  async publish(): Promise<void> {
    const { status } = await this.engine.getPolicy(this.registry, storyPolicy);
    if (status === 'DRAFT') await this.engine.lifecycle.publish(this.registry, storyPolicy, '1.0.0');
  }

  async takeRoles(): Promise<void> {
    const { anna, ben, carl, vera } = storyPeople;
    await this.#takeRole(anna, () => ({ group: 'Cooperative', label: 'Hilltop' }));
    await this.#takeRole(vera, () => ({ group: 'Verification body', label: 'Northern' }));
    await this.#takeRole(ben, () => this.#invitation(anna));
    await this.#takeRole(carl, () => ({ role: 'Producer' }));
  }

  async registerSite(): Promise<void> {
    const { anna } = storyPeople;
    const site = { name: 'Hilltop Wind', technology: 'Wind', capacityKW: 2400, since: '2024-05-02' };
    await this.#apply(anna, site);
    const application = (await this.#rows(this.registry, 'applications')).find(
      ({ owner, option }) => owner === anna.did && option?.status === 'Waiting',
    );
    if (application !== undefined && (await this.#rows(anna, 'my_sites')).length === 0) {
      await this.#press(this.registry, 'decide', 'Approve', application);
    }
  }

  /** Two are verified and minted; the last one waits for a verifier. */
  async reportReadings(): Promise<void> {
    const { vera } = storyPeople;
    await this.#report({ month: '2026-08', megawattHours: 512.4 });
    await this.#report({ month: '2026-09', megawattHours: 498.15 });
    await this.#report({ month: '2026-10', megawattHours: 541.9 });
    for (const reading of await this.#rows(vera, 'readings_to_verify')) {
      const isOld = ['2026-08', '2026-09'].includes(monthOf(reading) ?? '');
      if (isOld && reading.option?.status === 'Reported') await this.#press(vera, 'verify', 'Verify', reading);
    }
  }

  async awaitDecisions(): Promise<void> {
    await this.#apply(storyPeople.carl, { name: 'Mill Race', technology: 'Hydro', capacityKW: 180 });
  }

  async #takeRole(person: Caller, choice: () => Json | Promise<Json>): Promise<void> {
    const { userGroups = [] } = await this.engine.getPolicy(person, storyPolicy);
    if (userGroups.length === 0) await this.#send(person, 'choose_role', await choice());
  }

  async #invitation(founder: Caller): Promise<Json> {
    const [group] = await this.#data<{ readonly id: string }>(founder, 'my_group');
    const invite = { action: 'invite', group: group?.id ?? null, role: 'Producer' };
    const { invitation } = (await this.#send(founder, 'my_group', invite)) as { readonly invitation: string };
    return { invitation };
  }

  async #apply(person: Caller, site: Json): Promise<void> {
    const applications = await this.#rows(person, 'my_applications');
    if (applications.length === 0) await this.#send(person, 'apply', { document: site, ref: null });
  }

  async #report(reading: { readonly month: string; readonly megawattHours: number }): Promise<void> {
    const { anna } = storyPeople;
    const [site] = await this.#rows(anna, 'my_sites');
    const reported = await this.#rows(anna, 'my_readings');
    if (site === undefined || reported.some((row) => monthOf(row) === reading.month)) return;
    await this.#send(anna, 'report_reading', { document: reading, ref: site as unknown as Json });
  }

  async #press(person: Caller, tag: string, button: string, row: Row): Promise<void> {
    await this.#send(person, tag, { tag: button, document: row as unknown as Json });
  }

  #rows(person: Caller, tag: string): Promise<Row[]> {
    return this.#data<Row>(person, tag);
  }

  async #data<Item>(person: Caller, tag: string): Promise<Item[]> {
    const page = await this.engine.readBlock<{ readonly data: Item[] }>(person, storyPolicy, { tag });
    return page.data;
  }

  #send(person: Caller, tag: string, body: Json): Promise<unknown> {
    return this.engine.sendToBlock(person, storyPolicy, { tag }, body);
  }
}

const monthOf = ({ document }: Row): string | undefined => document.credentialSubject[0]?.month;
