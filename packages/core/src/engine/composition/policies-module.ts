/** Policies and blocks: catalog, units of work, runs, timers, lifecycle and the external ledger. */
import { ContainerModule } from 'inversify';
import {
  JournalRetention,
  keyCheck,
  LedgerOutbox,
  type LedgerOutboxDeps,
  NotificationDelivery,
  ReadablePolicies,
  TimerQueue,
} from '../../background/index.js';
import { interfaceBlocks } from '../../blocks/index.js';
import {
  AnswerCache,
  blockRegistry,
  CompiledPolicyCache,
  PolicyExporter,
  PolicyImporter,
  ToolLibrary,
} from '../../catalog/index.js';
import { DraftEditor, DraftFiles } from '../../editing/index.js';
import { EventHub } from '../../events/index.js';
import { DocumentUsage, publishedTools } from '../../context/index.js';
import { PolicyDrafts, PolicyLifecycle, PolicyVersions, TimerRestoration } from '../../lifecycle/index.js';
import { BlockTimers, IdempotentSends, Workflow } from '../../runtime/index.js';
import { CommitListeners, Executor, RecordCaches } from '../../transactions/index.js';
import { logCompletion } from '../../transparency/index.js';
import { Recorder, Savepoints, TrialPeople } from '../../trials/index.js';
import { WebhookDelivery, WebhookStore } from '../../webhooks/index.js';
import { WitnessService } from '../../witness/index.js';
import { DocumentImporter } from '../document-importer.js';
import { policyTemplates } from '../authoring/templates.js';
import { background, provide, serviceIds, take, type Resolver } from './service-ids.js';
import { PolicySight } from '../people/policy-sight.js';
import type { EngineOptions } from '../engine-options.js';

/** `blocks`: added to the interface blocks, replacing those of the same name. */
export const policiesModule = ({
  blocks = [],
  drafts = 'private',
  templates,
  witnessMinutes,
}: EngineOptions): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(serviceIds.registry).toDynamicValue((context) => {
      const { itemsPerPage } = context.get(serviceIds.limits);
      return blockRegistry([...interfaceBlocks({ itemsPerPage }), ...blocks]);
    });
    provide(bind, CompiledPolicyCache, 'store', 'registry', 'tools', 'clock', 'limits');
    bind(ToolLibrary).toDynamicValue((context) => {
      const limits = context.get(serviceIds.policyFileLimits);
      return new ToolLibrary({ ...take(context, 'store', 'executor', 'toolSource', 'clock', 'ids', 'logger'), limits });
    });
    bind(serviceIds.recordCaches).toDynamicValue((context) => {
      const { store, limits } = take(context, 'store', 'limits');
      return store.capabilities.shared ? new RecordCaches(limits, undefined, store.history) : null;
    });
    bind(AnswerCache).toDynamicValue((context) => {
      const { store, limits, recordCaches } = take(context, 'store', 'limits', 'recordCaches');
      return new AnswerCache(store, limits, recordCaches);
    });
    bind(PolicyImporter).toDynamicValue((context) => {
      const limits = context.get(serviceIds.policyFileLimits);
      return new PolicyImporter({ ...take(context, 'executor', 'clock', 'ids', 'tools'), limits });
    });
    bind(DocumentUsage).toDynamicValue((context) => {
      const { limits, ids } = take(context, 'limits', 'ids');
      return new DocumentUsage(limits, ids);
    });
    provide(bind, PolicyExporter, 'store', 'tools', 'clock');
    bind(DocumentImporter).toDynamicValue((context) => {
      const { executor, policies } = take(context, 'executor', 'policies');
      return new DocumentImporter(executor, policies, take(context, 'clock', 'ids', 'limits', 'usage'));
    });
    bind(CommitListeners).toDynamicValue(() => new CommitListeners());
    bind(Executor).toDynamicValue((context) => {
      const commits = context.get(serviceIds.commitListeners);
      const caches = context.get(serviceIds.recordCaches);
      const batchTimes = take(context, 'clock', 'timers');
      const parts = { ...take(context, 'store', 'limits', 'source'), batchTimes, commits, caches };
      return new Executor({ ...parts, completion: logCompletion });
    });
    bind(serviceIds.runDeps).toDynamicValue((context) => ({
      ...take(
        context,
        'registry',
        'clock',
        'timers',
        'ids',
        'keys',
        'proofs',
        'didMethod',
        'secrets',
        'accounts',
        'externalLedger',
        'limits',
        'usage',
      ),
      peerAnnouncer: context.get(serviceIds.peerStreams),
    }));
    bind(Workflow).toDynamicValue((context) => {
      const { store, policies, runDeps } = take(context, 'store', 'policies', 'runDeps');
      return new Workflow(store, policies, runDeps);
    });
    provide(bind, IdempotentSends, 'clock', 'ids', 'limits');
    bind(BlockTimers).toDynamicValue(
      (context) =>
        new BlockTimers({
          ...take(context, 'executor', 'policies', 'registry', 'clock', 'limits', 'source'),
          workflow: context.get(serviceIds.recorder),
        }),
    );
    provide(bind, Recorder, 'executor', 'policies', 'workflow', 'clock', 'limits');
    provide(bind, TrialPeople, 'executor', 'policies', 'store', 'clock', 'ids', 'limits');
    provide(bind, Savepoints, 'executor', 'policies', 'blockTimers', 'store', 'clock', 'ids', 'limits');
    bind(PolicyLifecycle).toDynamicValue((context) => {
      const deps = take(
        context,
        ...(['executor', 'policies', 'importer', 'exporter', 'tools', 'blockTimers', 'clock', 'store'] as const),
      );
      return new PolicyLifecycle({ ...deps, run: context.get(serviceIds.runDeps) });
    });
    bind(PolicyDrafts).toDynamicValue((context) => {
      const deps = take(context, 'executor', 'policies', 'importer', 'tools', 'clock');
      return new PolicyDrafts({ ...deps, run: context.get(serviceIds.runDeps) });
    });
    bind(serviceIds.templates).toConstantValue(policyTemplates(templates));
    bind(DraftEditor).toDynamicValue((context) => {
      const fileLimits = context.get(serviceIds.policyFileLimits);
      return new DraftEditor({ ...take(context, 'executor', 'store', 'clock', 'ids', 'limits'), fileLimits });
    });
    bind(DraftFiles).toDynamicValue((context) => {
      const fileLimits = context.get(serviceIds.policyFileLimits);
      return new DraftFiles({ ...take(context, 'executor', 'clock', 'ids'), fileLimits });
    });
    provide(bind, PolicyVersions, 'policies', 'importer', 'exporter', 'store');
    bind(serviceIds.keyCheck).toDynamicValue((context) =>
      keyCheck(take(context, 'store', 'keys', 'clock', 'timers', 'logger')),
    );
    provide(bind, ReadablePolicies, 'store', 'clock', 'logger', 'inspections');
    bind(PolicySight).toDynamicValue(
      (context) => new PolicySight({ ...take(context, 'store', 'policies', 'readablePolicies'), drafts }),
    );
    provide(bind, EventHub, 'store', 'sight', 'policies', 'clock', 'timers', 'limits');
    provide(bind, JournalRetention, 'store', 'executor', 'clock', 'timers', 'logger', 'inspections', 'limits');
    bind(TimerQueue).toDynamicValue(timerQueue);
    bind(serviceIds.ledgerOutbox).toDynamicValue(ledgerOutbox);
    bind(serviceIds.witness).toDynamicValue((context) => witness(context, witnessMinutes));
    provide(bind, WebhookStore, 'store', 'executor', 'clock', 'ids', 'limits');
    bind(serviceIds.webhookDelivery).toDynamicValue(webhookDelivery);
    bind(serviceIds.notificationDelivery).toDynamicValue((context) => {
      const { notifications, logger } = take(context, 'notifications', 'logger');
      return notifications && new NotificationDelivery(notifications, logger);
    });
  });

function timerQueue(context: Resolver): TimerQueue {
  const { blockTimers, lifecycle } = take(context, 'blockTimers', 'lifecycle');
  const restoration = new TimerRestoration(take(context, 'executor', 'policies', 'blockTimers', 'logger'));
  const handlers = { ...blockTimers.timerHandlers, ...lifecycle.timerHandlers, ...restoration.timerHandlers };
  return new TimerQueue({ ...take(context, ...background, 'source'), handlers });
}

function ledgerOutbox(context: Resolver): LedgerOutbox | null {
  const ledger = context.get(serviceIds.externalLedger);
  if (ledger === null) return null;
  const { policies, exporter, tools } = take(context, 'policies', 'exporter', 'tools');
  const publicationOf: LedgerOutboxDeps['publicationOf'] = async (policyId) => {
    const policy = await policies.open(policyId);
    return {
      archive: (renamed) => exporter.policy(policy, renamed),
      tools: publishedTools(policy.tools, (tool) => tools.file(tool)),
    };
  };
  return new LedgerOutbox({ ...take(context, ...background, 'source'), ledger, publicationOf });
}

function witness(context: Resolver, minutes: number | undefined): WitnessService | null {
  if (minutes === undefined || context.get(serviceIds.externalLedger) === null) return null;
  const own = take(context, ...background, 'executor', 'policies', 'readablePolicies', 'runDeps');
  return new WitnessService({ ...own, minutes });
}

function webhookDelivery(context: Resolver): WebhookDelivery | null {
  const sender = context.get(serviceIds.webhookSender);
  if (sender === null) return null;
  const { webhookStore: webhooks, eventHub: events } = take(context, 'webhookStore', 'eventHub');
  return new WebhookDelivery({ ...take(context, ...background, 'limits', 'source'), webhooks, events, sender });
}
