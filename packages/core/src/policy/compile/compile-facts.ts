/** The metadata of a policy that its compilation needs. */
import type { NavigationEntry, PolicyGroup, PolicyToken, PolicyTopic } from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';

export interface CompileFacts {
  /** Named in errors. */
  readonly policyId?: string;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  readonly navigation: readonly NavigationEntry[];
  readonly topics?: readonly PolicyTopic[];
  readonly tokenTemplates?: readonly PolicyToken[];
  /** Earlier findings, listed first. */
  readonly findings?: readonly Finding[];
  /** Whether block types check their blocks; default `true`. */
  readonly check?: boolean;
}
