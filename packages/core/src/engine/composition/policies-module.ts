/** Policies and their blocks: the catalog, units of work, runs, timers, the lifecycle, and the external ledger. */
import { ContainerModule } from 'inversify';
import { KeyCheck, LedgerOutbox, NotificationDelivery, TimerQueue } from '../../background/index.js';
import type { BlockType } from '../../block-api/index.js';
import { interfaceBlocks } from '../../blocks/index.js';
import { AnswerCache, blockRegistry, CompiledPolicyCache, PolicyImporter, ToolLibrary } from '../../catalog/index.js';
import { PolicyLifecycle } from '../../lifecycle/index.js';
import { BlockTimers, Workflow } from '../../runtime/index.js';
import { CommitListeners, Executor } from '../../transactions/index.js';
import { DocumentImporter } from '../document-importer.js';
import { serviceIds, take, type Resolver } from './service-ids.js';

/** `blocks`: beside the interface blocks, or in place of those with the same name. */
export const policiesModule = (blocks: readonly BlockType[] = []): ContainerModule =>
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
    bind(serviceIds.answers).toDynamicValue(
      (context) => new AnswerCache(context.get(serviceIds.store), context.get(serviceIds.limits)),
    );
    bind(serviceIds.importer).toDynamicValue((context) => {
      const limits = context.get(serviceIds.policyFileLimits);
      return new PolicyImporter({ ...take(context, 'executor', 'clock', 'ids', 'tools'), limits });
    });
    bind(serviceIds.documents).toDynamicValue((context) => {
      const { executor, policies } = take(context, 'executor', 'policies');
      return new DocumentImporter(executor, policies, take(context, 'clock', 'ids'));
    });
    bind(serviceIds.commitListeners).toDynamicValue(() => new CommitListeners());
    bind(serviceIds.executor).toDynamicValue((context) => {
      const commits = context.get(serviceIds.commitListeners);
      return new Executor({ ...take(context, 'store', 'limits'), commits });
    });
    bind(serviceIds.runDeps).toDynamicValue((context) =>
      take(context, 'registry', 'clock', 'ids', 'keys', 'accounts', 'externalLedger', 'limits'),
    );
    bind(serviceIds.workflow).toDynamicValue((context) => {
      const { store, policies, runDeps } = take(context, 'store', 'policies', 'runDeps');
      return new Workflow(store, policies, runDeps);
    });
    bind(serviceIds.blockTimers).toDynamicValue(
      (context) => new BlockTimers(take(context, 'executor', 'policies', 'workflow', 'registry', 'clock', 'limits')),
    );
    bind(serviceIds.lifecycle).toDynamicValue((context) => {
      const deps = take(context, 'executor', 'policies', 'tools', 'blockTimers', 'clock', 'store');
      return new PolicyLifecycle({ ...deps, run: context.get(serviceIds.runDeps) });
    });
    bind(serviceIds.keyCheck).toDynamicValue(
      (context) => new KeyCheck(take(context, 'store', 'keys', 'clock', 'timers', 'logger')),
    );
    bind(serviceIds.timerQueue).toDynamicValue(timerQueue);
    bind(serviceIds.ledgerOutbox).toDynamicValue(ledgerOutbox);
    bind(serviceIds.notificationDelivery).toDynamicValue((context) => {
      const { notifications, logger } = take(context, 'notifications', 'logger');
      return notifications && new NotificationDelivery(notifications, logger);
    });
  });

function timerQueue(context: Resolver): TimerQueue {
  const { blockTimers, lifecycle } = take(context, 'blockTimers', 'lifecycle');
  const handlers = { ...blockTimers.timerHandlers, ...lifecycle.timerHandlers };
  return new TimerQueue({
    ...take(context, 'store', 'clock', 'timers', 'logger', 'inspector'),
    handlers,
    leases: context.get(serviceIds.storeNode),
  });
}

function ledgerOutbox(context: Resolver): LedgerOutbox | null {
  const ledger = context.get(serviceIds.externalLedger);
  if (ledger === null) return null;
  const deps = take(context, 'store', 'clock', 'logger', 'inspector', 'timers');
  return new LedgerOutbox({ ...deps, ledger, leases: context.get(serviceIds.storeNode) });
}
