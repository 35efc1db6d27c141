/** What an engine is made of: everything that its composition root hands it. */
import type { PermissionTable } from './access/index.js';
import type { RequestServices } from './approvals/index.js';
import type { PolicyLifecycle } from './lifecycle/index.js';
import type { Inspector } from './ports/index.js';
import type { RequestDesk } from './request-desk.js';
import type {
  AnswerCache,
  BlockRegistry,
  DocumentIntake,
  Executor,
  PolicyIntake,
  PolicyLibrary,
  RecordReader,
  Schedule,
  Timekeeper,
  Workflow,
} from './runtime/index.js';

export interface EngineParts {
  readonly store: RecordReader;
  readonly library: PolicyLibrary;
  readonly intake: PolicyIntake;
  readonly documents: DocumentIntake;
  readonly workflow: Workflow;
  readonly answers: AnswerCache;
  readonly executor: Executor;
  readonly registry: BlockRegistry;
  readonly lifecycle: PolicyLifecycle;
  readonly schedule: Schedule;
  readonly timekeeper: Timekeeper;
  readonly requests: RequestDesk;
  readonly approvals: RequestServices['approvals'];
  readonly permissionTable: PermissionTable;
  readonly inspector: Inspector;
  /** Releases what the engine was made of, after the last unit of work has ended. */
  readonly release: () => Promise<void>;
}
