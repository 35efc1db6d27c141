/** `@blockwork/contract/statuses`: what each status of a policy allows, and which action leads where. */

/**
 * `readable`: its blocks can be read. `running`: its blocks take data. `ticking`: its timers fire. `published`: its effects
 * are real, and members of other policies and auditors see them. `trial`: its effects are discarded or a demonstration.
 * `private`: only its owner and those whom the owner lets see it.
 */
export type StatusTrait = 'readable' | 'running' | 'ticking' | 'published' | 'trial' | 'private';

export const policyStatuses = {
  DRAFT: ['readable', 'running', 'trial', 'private'],
  'DRY-RUN': ['readable', 'running', 'ticking', 'trial', 'private'],
  PUBLISH: ['readable', 'running', 'ticking', 'published'],
  PUBLISH_ERROR: ['private'],
  DISCONTINUED: ['readable', 'published'],
  DEMO: ['readable', 'running', 'ticking', 'trial'],
  VIEW: ['readable'],
} as const satisfies Readonly<Record<string, readonly StatusTrait[]>>;

export type PolicyStatus = keyof typeof policyStatuses;

interface Transition {
  readonly from: readonly PolicyStatus[];
  readonly to: PolicyStatus;
}

/** What the owner of a policy can do to it (reference engine, section 1.4). */
export const policyTransitions = {
  replace: { from: ['DRAFT'], to: 'DRAFT' },
  'dry-run': { from: ['DRAFT'], to: 'DRY-RUN' },
  restart: { from: ['DRY-RUN'], to: 'DRY-RUN' },
  record: { from: ['DRY-RUN'], to: 'DRY-RUN' },
  draft: { from: ['DRY-RUN'], to: 'DRAFT' },
  publish: { from: ['DRAFT', 'DRY-RUN', 'PUBLISH_ERROR'], to: 'PUBLISH' },
  discontinue: { from: ['PUBLISH'], to: 'DISCONTINUED' },
} as const satisfies Readonly<Record<string, Transition>>;

export type PolicyTransition = keyof typeof policyTransitions;

/**
 * `false` for a status that is not in the table.
 *
 * @example const isOpen = statusIs(policy.status, 'running');
 */
export function statusIs(status: string, trait: StatusTrait): boolean {
  return Object.hasOwn(policyStatuses, status) && traitsOf(status as PolicyStatus).includes(trait);
}

export const statusesThatAre = (trait: StatusTrait): PolicyStatus[] =>
  (Object.keys(policyStatuses) as PolicyStatus[]).filter((status) => statusIs(status, trait));

/**
 * Whether the owner can do this to a policy of the status.
 *
 * @example if (canTransition('publish', policy.status)) await client.policy(policy.id).publish('1.0.0');
 */
export const canTransition = (action: PolicyTransition, status: string): boolean =>
  (policyTransitions[action].from as readonly string[]).includes(status);

const traitsOf = (status: PolicyStatus): readonly StatusTrait[] => policyStatuses[status];
