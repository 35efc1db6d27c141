/** Policies and blocks: catalog, units of work, runs, timers, lifecycle and the external ledger. */
import { ContainerModule } from 'inversify';
import {
  JournalRetention,
  keyCheck,
  LedgerOutbox,
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
import { EventHub } from '../../events/index.js';
import { DocumentUsage } from '../../context/index.js';
import { PolicyDrafts, PolicyLifecycle, PolicyVersions, TimerRestoration } from '../../lifecycle/index.js';
import { BlockTimers, IdempotentSends, Workflow } from '../../runtime/index.js';
import { CommitListeners, Executor, RecordCaches } from '../../transactions/index.js';
import { Recorder, Savepoints, TrialPeople } from '../../trials/index.js';
import { WebhookDelivery, WebhookStore } from '../../webhooks/index.js';
import { DocumentImporter } from '../document-importer.js';
import { coordinationOf } from './nodes-module.js';
import { serviceIds, take, type Resolver } from './service-ids.js';
import { PolicySight } from '../people/policy-sight.js';
import type { EngineOptions } from '../engine-options.js';

/** `blocks`: added to the interface blocks, replacing those of the same name. */
export const policiesModule = ({ blocks = [], drafts = 'private' }: EngineOptions): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(serviceIds.registry).toDynamicValue((context) => {
      const { itemsPerPage } = context.get(serviceIds.limits);
      return blockRegistry([...interfaceBlocks({ itemsPerPage }), ...blocks]);
    });
    bind(serviceIds.policies).toDynamicValue(
      (context) => new CompiledPolicyCache(take(context, 'store', 'registry', 'tools', 'limits')),
    );
    bind(serviceIds.tools).toDynamicValue((context) => {
      const limits = context.get(serviceIds.policyFileLimits);
      return new ToolLibrary({ ...take(context, 'store', 'executor', 'toolSource', 'ids', 'logger'), limits });
    });
    bind(serviceIds.recordCaches).toDynamicValue((context) => {
      const { store, limits } = take(context, 'store', 'limits');
      return store.capabilities.shared ? new RecordCaches(limits) : null;
    });
    bind(serviceIds.answers).toDynamicValue((context) => {
      const { store, limits, recordCaches } = take(context, 'store', 'limits', 'recordCaches');
      return new AnswerCache(store, limits, recordCaches);
    });
    bind(serviceIds.importer).toDynamicValue((context) => {
      const limits = context.get(serviceIds.policyFileLimits);
      return new PolicyImporter({ ...take(context, 'executor', 'clock', 'ids', 'tools'), limits });
    });
    bind(serviceIds.usage).toDynamicValue((context) => {
      const { limits, ids } = take(context, 'limits', 'ids');
      return new DocumentUsage(limits, ids);
    });
    bind(serviceIds.exporter).toDynamicValue((context) => new PolicyExporter(take(context, 'store', 'tools')));
    bind(serviceIds.documents).toDynamicValue((context) => {
      const { executor, policies } = take(context, 'executor', 'policies');
      return new DocumentImporter(executor, policies, take(context, 'clock', 'ids', 'limits', 'usage'));
    });
    bind(serviceIds.commitListeners).toDynamicValue(() => new CommitListeners());
    bind(serviceIds.executor).toDynamicValue((context) => {
      const commits = context.get(serviceIds.commitListeners);
      const { store, limits, storeNode, source, ...deps } = take(
        context,
        'store',
        'source',
        'limits',
        'storeNode',
        'clock',
        'timers',
        'ids',
      );
      const doorbell = coordinationOf(store)?.doorbell ?? null;
      const turns = store.capabilities.shared ? { ...deps, doorbell, leases: storeNode } : null;
      const caches = context.get(serviceIds.recordCaches);
      return new Executor({ store, limits, commits, turns, source, caches });
    });
    bind(serviceIds.runDeps).toDynamicValue((context) => ({
      ...take(
        context,
        'registry',
        'clock',
        'timers',
        'ids',
        'keys',
        'secrets',
        'accounts',
        'externalLedger',
        'limits',
        'usage',
      ),
      peerAnnouncer: context.get(serviceIds.peerStreams),
    }));
    bind(serviceIds.workflow).toDynamicValue((context) => {
      const { store, policies, runDeps } = take(context, 'store', 'policies', 'runDeps');
      return new Workflow(store, policies, runDeps);
    });
    bind(serviceIds.idempotentSends).toDynamicValue(
      (context) => new IdempotentSends(take(context, 'clock', 'ids', 'limits')),
    );
    bind(serviceIds.blockTimers).toDynamicValue(
      (context) =>
        new BlockTimers({
          ...take(context, 'executor', 'policies', 'registry', 'clock', 'limits', 'source'),
          workflow: context.get(serviceIds.recorder),
        }),
    );
    bind(serviceIds.recorder).toDynamicValue(
      (context) => new Recorder(take(context, 'executor', 'policies', 'workflow', 'clock', 'limits')),
    );
    bind(serviceIds.people).toDynamicValue(
      (context) => new TrialPeople(take(context, 'executor', 'policies', 'store', 'clock', 'ids', 'limits')),
    );
    bind(serviceIds.savepoints).toDynamicValue(
      (context) =>
        new Savepoints(take(context, 'executor', 'policies', 'blockTimers', 'store', 'clock', 'ids', 'limits')),
    );
    bind(serviceIds.lifecycle).toDynamicValue((context) => {
      const deps = take(context, 'executor', 'policies', 'importer', 'tools', 'blockTimers', 'clock', 'store');
      return new PolicyLifecycle({ ...deps, run: context.get(serviceIds.runDeps) });
    });
    bind(serviceIds.drafts).toDynamicValue((context) => {
      const deps = take(context, 'executor', 'policies', 'importer', 'tools', 'clock');
      return new PolicyDrafts({ ...deps, run: context.get(serviceIds.runDeps) });
    });
    bind(serviceIds.versions).toDynamicValue(
      (context) => new PolicyVersions(take(context, 'policies', 'importer', 'exporter', 'store')),
    );
    bind(serviceIds.keyCheck).toDynamicValue((context) =>
      keyCheck(take(context, 'store', 'keys', 'clock', 'timers', 'logger')),
    );
    bind(serviceIds.readablePolicies).toDynamicValue(
      (context) => new ReadablePolicies(take(context, 'store', 'clock', 'logger', 'inspector')),
    );
    bind(serviceIds.sight).toDynamicValue(
      (context) => new PolicySight({ ...take(context, 'store', 'policies', 'readablePolicies'), drafts }),
    );
    bind(serviceIds.eventHub).toDynamicValue(
      (context) => new EventHub(take(context, 'store', 'sight', 'policies', 'clock', 'timers', 'limits')),
    );
    bind(serviceIds.journalRetention).toDynamicValue(
      (context) =>
        new JournalRetention(take(context, 'store', 'executor', 'clock', 'timers', 'logger', 'inspector', 'limits')),
    );
    bind(serviceIds.timerQueue).toDynamicValue(timerQueue);
    bind(serviceIds.ledgerOutbox).toDynamicValue(ledgerOutbox);
    bind(serviceIds.webhookStore).toDynamicValue(
      (context) => new WebhookStore(take(context, 'store', 'executor', 'clock', 'ids', 'limits')),
    );
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
  return new TimerQueue({
    ...take(context, 'store', 'clock', 'timers', 'logger', 'inspector', 'source'),
    handlers,
    leases: context.get(serviceIds.storeNode),
  });
}

function ledgerOutbox(context: Resolver): LedgerOutbox | null {
  const ledger = context.get(serviceIds.externalLedger);
  if (ledger === null) return null;
  const deps = take(context, 'store', 'clock', 'logger', 'inspector', 'timers', 'source');
  return new LedgerOutbox({ ...deps, ledger, leases: context.get(serviceIds.storeNode) });
}

function webhookDelivery(context: Resolver): WebhookDelivery | null {
  const sender = context.get(serviceIds.webhookSender);
  if (sender === null) return null;
  const { webhookStore: webhooks, eventHub: events } = take(context, 'webhookStore', 'eventHub');
  const deps = take(context, 'store', 'clock', 'timers', 'logger', 'limits', 'source');
  return new WebhookDelivery({ ...deps, webhooks, events, sender, leases: context.get(serviceIds.storeNode) });
}
