/** The definition of a policy as its author edits it: what a policy file holds, without files. */
import type {
  BlockSource,
  JsonObject,
  NavigationEntry,
  PolicyGroup,
  PolicyToken,
  PolicyTopic,
} from '../../records/index.js';

export interface PolicyDefinition {
  name: string;
  description: string;
  topicDescription: string;
  policyRoles: string[];
  policyGroups: PolicyGroup[];
  policyTopics: PolicyTopic[];
  policyTokens: PolicyToken[];
  policyNavigation: NavigationEntry[];
  categories: string[];
  config: BlockSource;
  /** As in files, sorted by IRI. */
  schemas: JsonObject[];
  /** As in files, sorted by id. */
  tokens: JsonObject[];
}

export type DefinitionPart = keyof PolicyDefinition;
