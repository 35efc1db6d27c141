/** The composition root: assembles an engine from the given ports and defaults. */
import 'reflect-metadata';
import { Container } from 'inversify';
import { engineModule, registerCommitListeners, startBackgroundServices } from './composition/engine-module.js';
import { nodesModule } from './composition/nodes-module.js';
import { policiesModule } from './composition/policies-module.js';
import { portsModule } from './composition/ports-module.js';
import { requestsModule } from './composition/requests-module.js';
import { serviceIds } from './composition/service-ids.js';
import { checkEngineOptions, type EngineOptions } from './engine-options.js';
import type { PolicyEngine } from './engine.js';

/** Creates an engine. Throws `OPTION_INVALID`, naming the option and the problem. */
export function createEngine(options: EngineOptions = {}): PolicyEngine {
  checkEngineOptions(options);
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(portsModule(options), policiesModule(options), requestsModule(options));
  container.load(nodesModule(options.nodeName), engineModule());
  options.configure?.(container);
  const engine = container.get(serviceIds.engine);
  registerCommitListeners(container);
  startBackgroundServices(container);
  return engine;
}
