/** The parts of the engine: one for each subject, which check callers at the same gate. */
import { Editing } from './authoring/editing.js';
import type { EngineDeps } from './engine-deps.js';
import type { Gate } from './gate.js';
import {
  Documents,
  Explanations,
  Journal,
  JournalLog,
  OutsideLedger,
  Overview,
  PolicyTimers,
  Schemas,
  Tokens,
  PendingWork,
} from './inspection/index.js';
import { Lifecycle } from './lifecycle.js';
import { Nodes } from './nodes.js';
import { InstanceOperation } from './operation.js';
import { Identities } from './people/identities.js';
import { NotificationInbox } from './people/notifications.js';
import { RevokedTokens } from './people/revoked-tokens.js';
import { Program } from './program/program.js';
import { Requests } from './requests.js';
import { Tools } from './tools.js';
import { Trials } from './trials.js';
import { Webhooks } from './webhooks.js';

export class EngineParts {
  /** Requests between instances. */
  readonly requests: Requests;
  /** The callers' notification inboxes. */
  readonly notifications: NotificationInbox;
  /** Webhooks that notify policy owners of changes. */
  readonly webhooks: Webhooks;
  /** Keys held by callers themselves and by their devices. */
  readonly identities: Identities;
  /** Revoked access tokens. */
  readonly revokedTokens: RevokedTokens;
  /** Dry-running, publishing and discontinuing policies. */
  readonly lifecycle: Lifecycle;
  /** Drafts: their definitions, edits and history. */
  readonly editing: Editing;
  /** Dry runs: virtual users, savepoints and recordings. */
  readonly trials: Trials;
  /** Why a block is or is not open to a user, or shows a document. */
  readonly explanations: Explanations;
  /** Pending work at the blocks of policies. */
  readonly pendingWork: PendingWork;
  /** What policies hold, in numbers. */
  readonly overview: Overview;
  /** Journals of the policies' units of work. */
  readonly journal: Journal;
  /** The logs that show whether a journal was changed afterwards. */
  readonly journalLog: JournalLog;
  /** Documents with their proofs and provenance. */
  readonly documents: Documents;
  /** Minted tokens and their holders. */
  readonly tokens: Tokens;
  /** The policies' scheduled work. */
  readonly timers: PolicyTimers;
  /** The schemas of documents. */
  readonly schemas: Schemas;
  /** Tools for the caller's policies. */
  readonly tools: Tools;
  /** The processes sharing the store. */
  readonly nodes: Nodes;
  /** This instance's backlog, failures and limits. */
  readonly operation: InstanceOperation;
  /** The external ledger: what waits, what it costs, and how the books compare. */
  readonly ledger: OutsideLedger;
  /** For the embedding program, never for its users. */
  readonly program: Program;

  constructor(gate: Gate, deps: EngineDeps) {
    this.requests = new Requests(gate, deps);
    this.notifications = new NotificationInbox(gate, deps);
    this.webhooks = new Webhooks(gate, deps);
    this.identities = new Identities(gate, deps);
    this.revokedTokens = new RevokedTokens(gate, deps);
    this.lifecycle = new Lifecycle(gate, deps);
    this.editing = new Editing(gate, deps);
    this.trials = new Trials(gate, deps);
    this.explanations = new Explanations(gate, deps);
    this.pendingWork = new PendingWork(gate, deps);
    this.overview = new Overview(gate, deps);
    this.nodes = new Nodes(gate, deps.storeNode);
    this.operation = new InstanceOperation(gate, deps);
    this.ledger = new OutsideLedger(gate, deps);
    this.journal = new Journal(gate, deps);
    this.journalLog = new JournalLog(gate, deps);
    this.documents = new Documents(gate, deps);
    this.tokens = new Tokens(gate, deps);
    this.timers = new PolicyTimers(gate, deps);
    this.schemas = new Schemas(gate, deps);
    this.tools = new Tools(gate, deps.tools);
    this.program = new Program(gate, deps);
  }
}
