/** Policies in each status from which another can be reached. */
import type { PolicyEngine } from '@blockwork/core';
import { soundPolicy } from './trial-policy.js';
import { owner } from './world.js';

export type PoliciesInEveryStatus = Readonly<
  Record<'draft' | 'replaced' | 'deleted' | 'tried' | 'running' | 'unpublished' | 'published', string>
>;

export async function policiesInEveryStatus(engine: PolicyEngine): Promise<PoliciesInEveryStatus> {
  const made = async (name: string): Promise<string> => (await engine.importPolicy(owner, soundPolicy(name))).policy.id;
  const policies = {
    draft: await made('Draft'),
    replaced: await made('Replaced'),
    deleted: await made('Deleted'),
    tried: await made('Tried'),
    running: await made('Running'),
    unpublished: await made('Unpublished'),
    published: await made('Published'),
  };
  await engine.lifecycle.dryRun(owner, policies.tried);
  await engine.lifecycle.dryRun(owner, policies.running);
  await engine.lifecycle.publish(owner, policies.published, '1.0.0');
  return policies;
}
