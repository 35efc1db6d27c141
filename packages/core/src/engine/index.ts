/** The engine's public API. */
export { createEngine } from './create-engine.js';
export type { EngineOptions } from './engine-options.js';
export { PolicyEngine } from './engine.js';
export type { Tools, ToolSummary } from './tools.js';
export type { DocumentDetails, DocumentQuery, Documents } from './inspection/documents.js';
export type {
  BundledDocument,
  BundledIdentity,
  BundledMint,
  BundledPolicy,
  BundledRole,
  BundledSchema,
  BundledToken,
  BundleSeal,
  ProofBundle,
} from './inspection/bundle/proof-bundle.js';
export type { TrustChain, TrustLink } from './inspection/trust-chain.js';
export type { EffectQuery, TokenBalance, Tokens, TokenSummary } from './inspection/tokens.js';
export type { PolicyTimer, PolicyTimers } from './inspection/timers.js';
export type { PolicySchema, Schemas, SchemaSummary } from './inspection/schemas.js';
export type { ExplainAs, Explanations } from './inspection/explanations.js';
export type { PendingWork } from './inspection/pending-work.js';
export type { Overview, PolicyOverview } from './inspection/overview.js';
export type { DescribedPolicy } from './interface/described-policy.js';
export type { InterfaceBlock, PolicyInterface } from './interface/policy-interface.js';
export type { Journal, JournalQuery } from './inspection/journal.js';
export type { JournalLog, LogConsistency, LogProof } from './inspection/journal-log.js';
export type { LogCheckpoint } from '../transparency/index.js';
export type { Identities, KeyInput } from './people/identities.js';
export type { RevokedTokens, TokenRevocation } from './people/revoked-tokens.js';
export type { BlockTypeSummary } from './authoring/block-catalogue.js';
export type { PolicyTemplate, PolicyTemplates } from './authoring/templates.js';
export type { DraftEdit, EditAnswer, Editing } from './authoring/editing.js';
export type { Lifecycle, PolicyStatusChange } from './lifecycle.js';
export type { EventsQuery, GapEvent, OpenEvent, PolicyEvent, StatusEvent, UnitEvent } from '../events/index.js';
export { defaultEngineLimits, type EngineLimits } from './limits.js';
export type { LedgerState, OutsideLedger } from './inspection/outside-ledger.js';
export type { Nodes, NodeSummary } from './nodes.js';
export type { InstanceOperation, LogQuery, OperationSummary, WaitingMessage } from './operation.js';
export type { NotificationInbox } from './people/notifications.js';
export type { Trials, TrialState } from './trials.js';
export type { ListPage, Range } from './page.js';
export type { Requests } from './requests.js';
export type { WebhookInput, Webhooks, WebhookSummary } from './webhooks.js';
export type { CommitWith, Query, ReadOptions, SendOptions } from './send-options.js';
export type { Program, ProgramDocuments } from './program/program.js';
export type { MintTotals, ProgramLedger } from './program/ledger.js';
export type { ProgramOrigins } from './program/program.js';
export type { ProgramRequests } from './program/requests.js';
export type { Readiness } from './program/readiness.js';
export type { ProgramSchedule } from './program/program.js';
export type { ProgramWebhooks } from './program/program.js';
export { serviceIds } from './composition/service-ids.js';
export { readPolicy, type PolicyFile, type ReadPolicyOptions } from './read-policy.js';
export { methodErrors, type MethodErrors } from './method-errors.js';
