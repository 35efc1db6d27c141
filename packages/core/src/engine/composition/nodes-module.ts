/** This process as a node of a shared store. Empty for a store that belongs to this process alone. */
import { ContainerModule } from 'inversify';
import { CrossNodeWakeUps, StoreNode } from '../../background/index.js';
import type { Coordination, PolicyStore } from '../../ports/index.js';
import { version } from '../../version.js';
import { serviceIds, take, type Resolver } from './service-ids.js';

/** `null` for a store that belongs to this process alone or cannot coordinate nodes. */
export const coordinationOf = ({ capabilities, coordination }: PolicyStore): Coordination | null =>
  capabilities.shared ? (coordination ?? null) : null;

/** `name`: display name of this node. */
export const nodesModule = (name = ''): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(serviceIds.storeNode).toDynamicValue((context) => {
      const { store, storeClock, limits, ...deps } = take(context, 'store', 'storeClock', 'limits', 'timers', 'logger');
      const coordination = coordinationOf(store);
      if (coordination === null || storeClock === null) return null;
      const facts = { id: context.get(serviceIds.ids).uuid(), name, version };
      return new StoreNode({ ...deps, coordination, facts, clock: storeClock, leaseMs: limits.leaseMs });
    });
    bind(serviceIds.leases).toDynamicValue((context) => context.get(serviceIds.storeNode));
    bind(serviceIds.wakeUps).toDynamicValue(wakeUps);
  });

function wakeUps(context: Resolver): CrossNodeWakeUps | null {
  const coordination = coordinationOf(context.get(serviceIds.store));
  if (coordination === null) return null;
  const { timerQueue, messageOutbox, ledgerOutbox } = take(context, 'timerQueue', 'messageOutbox', 'ledgerOutbox');
  const { autoApproval, expiry, waiters } = take(context, 'autoApproval', 'expiry', 'waiters');
  return new CrossNodeWakeUps(coordination.notifier, {
    timer: [timerQueue],
    outbox: [messageOutbox],
    request: [autoApproval, expiry, waiters],
    ...(ledgerOutbox !== null && { settlement: [ledgerOutbox] }),
  });
}
