/** A policy with everything that belongs to it, as read from a file and ready to be stored. */
import type { ArchiveFile, ArtifactRecord, BlockSource, SchemaRecord, TokenRecord } from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';
import type { CarriedTool } from './tool-files.js';
import type { PolicyText } from './located.js';
import type { PolicyFacts } from './parts/policy-facts.js';

export interface PolicyBundle {
  readonly about: PolicyFacts;
  readonly config: BlockSource;
  readonly schemas: readonly SchemaRecord[];
  readonly tokens: readonly TokenRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Entries kept only for export. */
  readonly files: readonly ArchiveFile[];
  /** Tools included in the archive. */
  readonly tools: readonly CarriedTool[];
  /** Whether it was read from an archive. */
  readonly archived?: boolean;
  /** What it was read from, unless from a value. */
  readonly text?: PolicyText;
  /** Found while reading and migrating. */
  readonly findings: readonly Finding[];
}
