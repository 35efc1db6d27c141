/**
 * What the users of played policies are shown is what it was: forms, grids, roles, steps and reports, as files.
 * `npm test -- test/scenarios/golden-answers.test.ts -u` writes them anew; look at what has changed before you commit it.
 */
import { openScenarioWorld, runScenario } from '@blockwork/explorer';
import { describe, expect, it } from 'vitest';
import { allCases } from './support/cases.js';
import { answersFor, reportsOn, type Answers } from './support/golden-answers.js';

/** Of different kinds: plain approval, parts and tags, groups with votes, split mints, impacts. */
const kinds = new Set([
  'sunlight.json',
  'orchard.json',
  'dovu-agrecalc-v2.json',
  'irec-5-group.json',
  'irec-7-split.json',
  'irec-8-1-impact.json',
]);

/** Names the first user who is shown the same. */
const withoutRepeats = (answers: Answers, before: Readonly<Record<string, Answers>>): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([tag, answer]) => {
      const text = JSON.stringify(answer);
      const [first] = Object.entries(before).find(([, others]) => JSON.stringify(others[tag]) === text) ?? [];
      return [tag, first === undefined ? answer : `as ${first}`];
    }),
  );

/** JSON with a line for each block, so that a difference is short. */
function linesOf(shown: Readonly<Record<string, Answers>>): string {
  const users = Object.entries(shown).map(([user, answers]) => {
    const blocks = Object.entries(answers).map(
      ([tag, answer]) => `    ${JSON.stringify(tag)}: ${JSON.stringify(answer)}`,
    );
    return `  ${JSON.stringify(user)}: {\n${blocks.join(',\n')}\n  }`;
  });
  return `{\n${users.join(',\n')}\n}\n`;
}

describe.each(allCases.filter(({ name }) => kinds.has(name)))('$name', ({ name, policy, script }) => {
  it('shows what it showed', async () => {
    const world = await openScenarioWorld(policy, { status: 'published' });
    await runScenario(script, world);
    const { engine, policyId, owner } = await world.bench.open();
    const users = new Set((script as { as: string }[]).map(({ as }) => as).filter((as) => as !== 'system'));
    const shown: Record<string, Answers> = {};
    for (const user of users) {
      const caller = user === 'owner' ? owner : world.bench.as(user).caller;
      shown[user] = withoutRepeats(await answersFor(engine, policyId, caller), shown);
    }
    const text = linesOf({ ...shown, 'the owner, in reports': await reportsOn(engine, policyId, owner) });
    await world.close();
    await expect(text).toMatchFileSnapshot(`golden/${name}`);
  });
});
