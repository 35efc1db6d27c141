/** Policies in each status from which another can be reached. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import { soundPolicy } from './trial-policy.js';
import { owner } from './world.js';

export type PoliciesInEveryStatus = Readonly<
  Record<
    | 'draft'
    | 'replaced'
    | 'edited'
    | 'deleted'
    | 'tried'
    | 'running'
    | 'recorded'
    | 'unpublished'
    | 'published'
    | 'succeeded'
    // Savepoints of `recorded`.
    | 'savepoint'
    | 'removableSavepoint',
    string
  >
>;

export async function policiesInEveryStatus(
  engine: PolicyEngine,
  registry: Caller = owner,
): Promise<PoliciesInEveryStatus> {
  const importNamed = async (name: string): Promise<string> =>
    (await engine.importPolicy(registry, soundPolicy(name))).policy.id;
  const policies = {
    draft: await importNamed('Draft'),
    replaced: await importNamed('Replaced'),
    edited: await importNamed('Edited'),
    deleted: await importNamed('Deleted'),
    tried: await importNamed('Tried'),
    running: await importNamed('Running'),
    recorded: await importNamed('Recorded'),
    unpublished: await importNamed('Unpublished'),
    published: await importNamed('Published'),
    succeeded: await importNamed('Succeeded'),
  };
  await engine.lifecycle.dryRun(registry, policies.tried);
  await engine.lifecycle.dryRun(registry, policies.running);
  await engine.lifecycle.publish(registry, policies.published, '1.0.0');
  await engine.lifecycle.publish(registry, policies.succeeded, '1.0.0');
  await engine.lifecycle.dryRun(registry, policies.recorded);
  await engine.trials.record(registry, policies.recorded);
  await engine.sendToBlock(registry, policies.recorded, { tag: 'echo' }, {});
  const savepoint = async (name: string): Promise<string> =>
    (await engine.trials.makeSavepoint(registry, policies.recorded, name)).id;
  const savepoints = { savepoint: await savepoint('Ticked'), removableSavepoint: await savepoint('Removed') };
  return { ...policies, ...savepoints };
}
