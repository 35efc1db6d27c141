/** A policy with all that belongs to it, as read from a file and ready to be stored. */
import type { ArtifactRecord, BlockSource, SchemaRecord, TokenRecord } from '../../records/index.js';
import type { NavigationEntry, PolicyGroup, PolicyToken, PolicyTopic } from '../../records/index.js';
import type { Finding } from '../model/finding.js';

export interface PolicyBundle {
  /** Everything the file says of the policy besides its blocks; unknown members in `extra`. */
  readonly about: PolicyFacts;
  readonly config: BlockSource;
  readonly schemas: readonly SchemaRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** What was found while reading and migrating. */
  readonly findings: readonly Finding[];
}

/** Absent members were not in the file, or were not usable there (then a finding says so). */
export interface PolicyFacts {
  readonly uuid?: string;
  readonly name: string;
  readonly description: string;
  readonly topicDescription: string;
  readonly policyTag?: string;
  readonly version?: string;
  readonly codeVersion: string;
  readonly policyRoles: readonly string[];
  readonly policyGroups: readonly PolicyGroup[];
  readonly policyTopics: readonly PolicyTopic[];
  readonly policyTokens: readonly PolicyToken[];
  readonly policyNavigation: readonly NavigationEntry[];
  readonly categories: readonly string[];
  readonly projectSchema?: string;
  /** Members that no field above takes, unchanged. */
  readonly extra: Readonly<Record<string, unknown>>;
}
