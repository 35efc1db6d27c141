/** The ports and settings of an engine: from the options, with defaults for the rest. */
import { ContainerModule } from 'inversify';
import { defaultPermissionTable } from '../../access/index.js';
import {
  DerivedAccounts,
  environmentSecrets,
  randomIds,
  SeededKeys,
  silentLogger,
  StoreClock,
  systemClock,
  systemTimers,
} from '../../defaults/index.js';
import { MemoryLink, MemoryStore } from '../../memory/index.js';
import { policyFileLimits } from '../../policy/index.js';
import { Inspections, SlowestUnits } from '../../telemetry/index.js';
import type { EngineOptions } from '../engine-options.js';
import { engineLimits } from '../limits.js';
import { coordinationOf } from './nodes-module.js';
import { serviceIds, take } from './service-ids.js';

/** Throws `OPTION_INVALID`. */
export function portsModule(options: EngineOptions): ContainerModule {
  const limits = engineLimits(options.limits);
  const fileLimits = policyFileLimits(options.policyFileLimits);
  const { logger = silentLogger, permissionTable = defaultPermissionTable, operators = [] } = options;
  return new ContainerModule(({ bind }) => {
    const clock = options.clock ?? systemClock;
    bind(serviceIds.storeClock).toDynamicValue((context) =>
      coordinationOf(context.get(serviceIds.store)) === null ? null : new StoreClock(clock),
    );
    bind(serviceIds.notifications).toConstantValue(options.notifications ?? null);
    bind(serviceIds.webhookSender).toConstantValue(options.webhooks ?? null);
    bind(serviceIds.clock).toDynamicValue((context) => context.get(serviceIds.storeClock) ?? clock);
    bind(serviceIds.timers).toConstantValue(options.timers ?? systemTimers);
    bind(serviceIds.ids).toConstantValue(options.ids ?? randomIds);
    bind(serviceIds.logger).toConstantValue(logger);
    const source = {
      instance: options.instance?.id ?? null,
      node: options.nodeName ?? '',
      slowestUnits: new SlowestUnits(() => clock.now()),
    };
    bind(serviceIds.source).toConstantValue(source);
    bind(serviceIds.inspections).toConstantValue(
      new Inspections({
        source,
        inspector: options.inspector,
        // A failing observer must not affect what it observes.
        onFailure: (error, inspection) => logger.error('The inspector failed.', { error, inspection }),
      }),
    );
    bind(serviceIds.recentLog).toConstantValue(options.recentLog ?? null);
    bind(serviceIds.store).toDynamicValue(() => options.store ?? new MemoryStore());
    bind(serviceIds.link).toDynamicValue(
      (context) => options.link ?? new MemoryLink(take(context, 'clock', 'logger', 'timers')),
    );
    bind(serviceIds.externalLedger).toConstantValue(options.ledger ?? null);
    bind(serviceIds.publications).toConstantValue(options.publications ?? null);
    bind(serviceIds.toolSource).toConstantValue(options.toolSource ?? null);
    bind(serviceIds.keys).toDynamicValue(() => options.keys ?? new SeededKeys());
    const { linkedData = null, proofs: suite = 'eddsa-jcs-2022' } = options;
    bind(serviceIds.proofs).toConstantValue({ linkedData, suite });
    bind(serviceIds.didMethod).toConstantValue(options.didMethod ?? null);
    bind(serviceIds.secrets).toDynamicValue(() => options.secrets ?? environmentSecrets());
    bind(serviceIds.accounts).toDynamicValue(() => options.accounts ?? new DerivedAccounts());
    bind(serviceIds.permissionRules).toConstantValue({ table: permissionTable, operators: new Set(operators) });
    bind(serviceIds.limits).toConstantValue(limits);
    bind(serviceIds.policyFileLimits).toConstantValue(fileLimits);
  });
}
