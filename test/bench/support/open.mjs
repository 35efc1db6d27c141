/** Opens an engine on a folder, asks it one question, and ends: `node open.mjs <folder>`. */
import { createEngine } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { registry } from './policy.mjs';

const engine = createEngine({ store: await openLowdbStore({ folder: process.argv[2] }) });
await engine.listPolicies(registry, { limit: 1 });
await engine.close();
