/** The top layer of the engine: commit listeners, startup and shutdown order. */
import { ContainerModule } from 'inversify';
import { PolicyEngine } from '../engine.js';
import type { StuckWorkSource } from '../../background/index.js';
import { BacklogCheck } from '../program/backlog-check.js';
import { ReadinessCheck } from '../program/readiness.js';
import { Grace } from './grace.js';
import { serviceIds, take, type Resolver } from './service-ids.js';

export const engineModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PolicyEngine).toDynamicValue(
      (context) =>
        new PolicyEngine({
          clock: context.get(serviceIds.clock),
          ...take(
            context,
            'store',
            'policies',
            'importer',
            'exporter',
            'tools',
            'documents',
            'workflow',
            'runDeps',
            'answers',
            'executor',
            'registry',
            'idempotentSends',
          ),
          ...take(context, 'eventHub', 'webhookStore', 'webhookSender', 'webhookDelivery', 'ids'),
          ...take(context, 'ledgerOutbox', 'externalLedger', 'publications'),
          ...take(
            context,
            'lifecycle',
            'drafts',
            'editor',
            'draftFiles',
            'templates',
            'policyFileLimits',
            'versions',
            'sight',
            'readablePolicies',
            'timerQueue',
            'blockTimers',
            'requests',
            'permissionRules',
            'inspections',
            'source',
            'limits',
          ),
          ...take(context, 'people', 'savepoints', 'recorder', 'accounts'),
          readiness: readinessOf(context),
          backlog: backlogOf(context),
          watched: watchedOf(context),
          ...take(context, 'storeNode', 'recentLog'),
          release: releaseOf(context),
        }),
    );
  });

function readinessOf(from: Resolver): ReadinessCheck {
  return new ReadinessCheck({ ...take(from, 'store', 'link', 'clock'), watched: watchedOf(from) });
}

const backlogOf = (from: Resolver): BacklogCheck =>
  new BacklogCheck({ ...take(from, 'store', 'link', 'clock', 'executor'), watched: watchedOf(from) });

/** Background work that can get stuck. */
function watchedOf(from: Resolver): StuckWorkSource[] {
  const { timerQueue, expiry, autoApproval } = take(from, 'timerQueue', 'expiry', 'autoApproval');
  const { messageOutbox, ledgerOutbox, journalRetention } = take(
    from,
    'messageOutbox',
    'ledgerOutbox',
    'journalRetention',
  );
  const { requestArchive, webhookDelivery, witness } = take(from, 'requestArchive', 'webhookDelivery', 'witness');
  return [
    from.get(serviceIds.readablePolicies),
    timerQueue,
    expiry,
    autoApproval,
    requestArchive,
    messageOutbox,
    journalRetention,
    ...(ledgerOutbox === null ? [] : [ledgerOutbox]),
    ...(witness === null ? [] : [witness]),
    ...(webhookDelivery === null ? [] : [webhookDelivery]),
  ];
}

/** Registers all commit listeners, in this order. */
export function registerCommitListeners(from: Resolver): void {
  const { commitListeners, ledgerOutbox } = take(from, 'commitListeners', 'ledgerOutbox');
  const { expiry, autoApproval, waiters } = take(from, 'expiry', 'autoApproval', 'waiters');
  const { messageOutbox, timerQueue } = take(from, 'messageOutbox', 'timerQueue');
  commitListeners.register(expiry, autoApproval, waiters, messageOutbox, timerQueue);
  commitListeners.register(from.get(serviceIds.peerQuota));
  commitListeners.register(from.get(serviceIds.journalRetention));
  const reconciliation = from.get(serviceIds.reconciliation);
  if (reconciliation !== null) commitListeners.register(reconciliation);
  if (ledgerOutbox !== null) commitListeners.register(ledgerOutbox);
  const witness = from.get(serviceIds.witness);
  if (witness !== null) commitListeners.register(witness);
  const { notificationDelivery, wakeUps } = take(from, 'notificationDelivery', 'wakeUps');
  if (notificationDelivery !== null) commitListeners.register(notificationDelivery);
  if (wakeUps !== null) commitListeners.register(wakeUps);
  commitListeners.register(from.get(serviceIds.eventHub));
  const webhookDelivery = from.get(serviceIds.webhookDelivery);
  if (webhookDelivery !== null) commitListeners.register(webhookDelivery);
}

export function startBackgroundServices(from: Resolver): void {
  const { storeNode, wakeUps } = take(from, 'storeNode', 'wakeUps');
  tellHistoryChanges(from);
  storeNode?.start();
  const { connection, ledgerOutbox } = take(from, 'connection', 'ledgerOutbox');
  const { messageOutbox, autoApproval, expiry } = take(from, 'messageOutbox', 'autoApproval', 'expiry');
  const { timerQueue, reconciliation, requestArchive } = take(from, 'timerQueue', 'reconciliation', 'requestArchive');
  // Must precede the connection, which may detect lost messages immediately.
  for (const service of [messageOutbox, autoApproval, expiry, requestArchive, reconciliation, connection, timerQueue]) {
    service?.start();
  }
  from.get(serviceIds.journalRetention).start();
  from.get(serviceIds.keyCheck).start();
  ledgerOutbox?.start();
  from.get(serviceIds.witness)?.start();
  wakeUps?.start();
  from.get(serviceIds.eventHub).start();
  from.get(serviceIds.webhookDelivery)?.start();
}

/** Until the store is closed. */
function tellHistoryChanges(from: Resolver): void {
  const { store, logger, inspections } = take(from, 'store', 'logger', 'inspections');
  store.history?.subscribe((change) => {
    const { reason } = change;
    logger.warn('The store may have lost commits. Nothing that was known before is used any more.', { ...change });
    inspections.publish({ type: 'history.changed', reason });
  });
}

/**
 * Ends the units of work, then stops sources of work, then what the work depends on. Unsent messages stay in the store. Work
 * that waits for others, such as a port that hangs, is waited for only so long.
 */
function releaseOf(from: Resolver): () => Promise<void> {
  const { timerQueue, ledgerOutbox, externalLedger } = take(from, 'timerQueue', 'ledgerOutbox', 'externalLedger');
  const { connection, autoApproval, expiry, waiters } = take(from, 'connection', 'autoApproval', 'expiry', 'waiters');
  const { executor, messageOutbox, link, store } = take(from, 'executor', 'messageOutbox', 'link', 'store');
  const { keyCheck, storeNode, wakeUps, eventHub } = take(from, 'keyCheck', 'storeNode', 'wakeUps', 'eventHub');
  const { requestArchive, reconciliation, refused } = take(from, 'requestArchive', 'reconciliation', 'refused');
  const journalRetention = from.get(serviceIds.journalRetention);
  const { notificationDelivery, webhookDelivery } = take(from, 'notificationDelivery', 'webhookDelivery');
  const grace = new Grace(take(from, 'timers', 'logger', 'limits'));
  /** What has started ends within its own limit. */
  const unitsEnd = async (): Promise<void> => {
    const ended = executor.idle();
    await grace.until('units of work that have not started', ended, () => executor.refuseWaiting());
    await ended;
  };
  return async () => {
    await unitsEnd();
    eventHub.stop();
    await grace.until('webhooks', webhookDelivery?.stop());
    await keyCheck.stop();
    await wakeUps?.stop();
    await timerQueue.stop();
    await journalRetention.stop();
    await grace.until('the ledger', from.get(serviceIds.witness)?.stop());
    await grace.until('the ledger', ledgerOutbox?.stop());
    await grace.until('the ledger', externalLedger?.close());
    await grace.until('the link', connection?.stop());
    await Promise.all([autoApproval.stop(), expiry.stop(), reconciliation?.stop()]);
    await grace.until('archiveRequests', requestArchive.stop());
    waiters.stop();
    await refused.stop();
    await unitsEnd();
    await grace.until('notifications', notificationDelivery?.idle());
    await grace.until('the link', messageOutbox.stop());
    await grace.until('the link', link.close());
    await storeNode?.stop();
    await store.close();
  };
}
