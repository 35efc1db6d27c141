/** The engine on top of everything else: who hears of commits, what starts with it, and the order in which it ends. */
import { ContainerModule } from 'inversify';
import { PolicyEngine } from '../engine.js';
import { ReadinessCheck } from '../program/readiness.js';
import { serviceIds, take, type Resolver } from './service-ids.js';

export const engineModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(serviceIds.engine).toDynamicValue(
      (context) =>
        new PolicyEngine({
          ...take(
            context,
            'store',
            'policies',
            'importer',
            'tools',
            'documents',
            'workflow',
            'answers',
            'executor',
            'registry',
          ),
          ...take(context, 'lifecycle', 'timerQueue', 'blockTimers', 'requests', 'permissionTable', 'inspector'),
          readiness: new ReadinessCheck(take(context, 'store', 'link', 'clock')),
          release: releaseOf(context),
        }),
    );
  });

/** Everything that hears of a commit, in this order. */
export function registerCommitListeners(from: Resolver): void {
  const { commitListeners, ledgerOutbox } = take(from, 'commitListeners', 'ledgerOutbox');
  const { expiry, autoApproval, waiters } = take(from, 'expiry', 'autoApproval', 'waiters');
  const { messageOutbox, timerQueue } = take(from, 'messageOutbox', 'timerQueue');
  commitListeners.register(expiry, autoApproval, waiters, messageOutbox, timerQueue);
  const reconciliation = from.get(serviceIds.reconciliation);
  if (reconciliation !== null) commitListeners.register(reconciliation);
  if (ledgerOutbox !== null) commitListeners.register(ledgerOutbox);
  const { notificationDelivery, wakeUps } = take(from, 'notificationDelivery', 'wakeUps');
  if (notificationDelivery !== null) commitListeners.register(notificationDelivery);
  if (wakeUps !== null) commitListeners.register(wakeUps);
}

export function startBackgroundServices(from: Resolver): void {
  const { storeNode, wakeUps } = take(from, 'storeNode', 'wakeUps');
  storeNode?.start();
  const { connection, ledgerOutbox } = take(from, 'connection', 'ledgerOutbox');
  const { messageOutbox, autoApproval, expiry } = take(from, 'messageOutbox', 'autoApproval', 'expiry');
  const { timerQueue, reconciliation } = take(from, 'timerQueue', 'reconciliation');
  // Before the connection, which may find at once that messages are lost.
  for (const service of [messageOutbox, autoApproval, expiry, reconciliation, connection, timerQueue]) {
    service?.start();
  }
  from.get(serviceIds.keyCheck).start();
  ledgerOutbox?.start();
  wakeUps?.start();
}

/** What brings work in stops first, then what the work still needs; messages not yet sent stay in the store. */
function releaseOf(from: Resolver): () => Promise<void> {
  const { timerQueue, ledgerOutbox, externalLedger } = take(from, 'timerQueue', 'ledgerOutbox', 'externalLedger');
  const { connection, autoApproval, expiry, waiters } = take(from, 'connection', 'autoApproval', 'expiry', 'waiters');
  const { executor, messageOutbox, link, store } = take(from, 'executor', 'messageOutbox', 'link', 'store');
  const { keyCheck, storeNode, wakeUps } = take(from, 'keyCheck', 'storeNode', 'wakeUps');
  const notificationDelivery = from.get(serviceIds.notificationDelivery);
  return async () => {
    await keyCheck.stop();
    await wakeUps?.stop();
    await timerQueue.stop();
    await ledgerOutbox?.stop();
    await externalLedger?.close();
    await connection?.stop();
    await Promise.all([autoApproval.stop(), expiry.stop(), from.get(serviceIds.reconciliation)?.stop()]);
    waiters.stop();
    await executor.idle();
    await notificationDelivery?.idle();
    await messageOutbox.stop();
    await link.close();
    await storeNode?.stop();
    await store.close();
  };
}
