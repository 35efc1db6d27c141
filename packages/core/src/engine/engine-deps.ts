/** What an engine is made of: everything that its composition root hands it. */
import type { PermissionTable } from '../access/index.js';
import type { RequestServices } from '../requests/index.js';
import type { PolicyLifecycle } from '../lifecycle/index.js';
import type { Inspector } from '../ports/index.js';
import type { AnswerCache, BlockRegistry, PolicyImporter, CompiledPolicyCache } from '../catalog/index.js';
import type { DocumentImporter } from './document-importer.js';
import type { Executor, RecordReader } from '../transactions/index.js';
import type { TimerQueue } from '../background/index.js';
import type { BlockTimers, Workflow } from '../runtime/index.js';

export interface EngineDeps {
  readonly store: RecordReader;
  readonly policies: CompiledPolicyCache;
  readonly importer: PolicyImporter;
  readonly documents: DocumentImporter;
  readonly workflow: Workflow;
  readonly answers: AnswerCache;
  readonly executor: Executor;
  readonly registry: BlockRegistry;
  readonly lifecycle: PolicyLifecycle;
  readonly schedule: TimerQueue;
  readonly blockTimers: BlockTimers;
  readonly requests: RequestServices;
  readonly permissionTable: PermissionTable;
  readonly inspector: Inspector;
  /** Releases what the engine was made of, after the last unit of work has ended. */
  readonly release: () => Promise<void>;
}
