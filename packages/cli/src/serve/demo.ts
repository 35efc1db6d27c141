/** The content of the demonstration: a story in progress, and a pending request. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import { storyPeople, tellStory } from './demo-story.js';
import { offeredPolicy as policy } from './offered-policy.js';
import type { Settings } from './settings.js';

/** A peer whose requests are accepted; here they are simulated. */
export const partnerInstance = 'eastern-registry.example';
const offerId = '1794996000.204718335';

export interface Demo {
  /** Whether the example policy is here; with another folder of policies, there is less to show. */
  readonly hasStory: boolean;
}

/** The identities one can act as: the registry, the users of the story, and a visitor without a role. */
export const demoPeople = ({ owner }: Pick<Settings, 'owner'>): readonly Caller[] => [
  { did: owner, username: 'registry', role: 'STANDARD_REGISTRY' },
  ...Object.values(storyPeople),
  { did: 'did:example:visitor', username: 'visitor', role: 'USER' },
];

/** Idempotent: the story is played once, and the request received once. */
export async function prepareDemo(engine: PolicyEngine, settings: Settings): Promise<Demo> {
  const registry: Caller = { did: settings.owner, username: 'registry', role: 'STANDARD_REGISTRY' };
  const hasStory = await tellStory(engine, registry);
  // A partner offers one of its policies.
  await engine.program.requests.receive({
    messageId: offerId,
    sender: { instance: partnerInstance, did: policy.owner },
    policyId: policy.id,
    action: { type: 'import-policy', policy },
  });
  return { hasStory };
}
