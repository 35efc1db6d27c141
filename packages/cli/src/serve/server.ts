/** Puts the server together: a file store, an engine on it, the policies of a folder, and HTTP in front. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { standardBlocks } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import { consoleLogger, createEngine, SeededKeys, silentLogger } from '@blockwork/core';
import { createPolicyServer } from '@blockwork/http-koa';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { ensureDataFolder } from './data-folder.js';
import { demoLines } from './demo-lines.js';
import { partnerInstance, prepareDemo } from './demo.js';
import { loadPolicies } from './load-policies.js';
import { overview } from './overview.js';
import { keySeed, signingKey } from './secret.js';
import { isDemo, type Settings } from './settings.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export interface RunningServer {
  readonly url: string;
  /** Answers what is under way, then flushes and releases the store. */
  close(): Promise<void>;
}

/** Starts everything, telling `say` each step in a line. What was opened is closed again when a step fails. */
export async function start(settings: Settings, say: (line: string) => void): Promise<RunningServer> {
  await ensureDataFolder(settings.data);
  const secret = await signingKey(settings.secret, settings.data);
  const logger =
    settings.log === 'silent' ? silentLogger : consoleLogger({ level: settings.log, format: settings.logFormat });
  const keys = new SeededKeys(await keySeed(settings.data));
  const store = await openLowdbStore({ folder: join(settings.data, 'store'), logger });
  say(`Store opened in ${settings.data}`);

  const withDemo = isDemo(settings);
  const engine = createEngine({
    store,
    keys,
    logger,
    blocks: standardBlocks(),
    trustedInstances: withDemo ? [partnerInstance] : [],
    limits: { journalEntries: settings.journalEntries },
  });
  const server = createPolicyServer(engine, {
    auth: { secret },
    logger,
    docs: { assets: swaggerUi },
    console: { assets: consoleAssets },
    drainTime: settings.drainMs,
    ...settings.limits,
  });
  const close = async (): Promise<void> => {
    await server.close();
    await engine.close();
  };
  try {
    const loaded = await loadPolicies(engine, settings);
    for (const { file, outcome } of loaded) say(`${file}: ${outcome}`);
    const demo = withDemo ? await prepareDemo(engine, settings) : undefined;
    const { url } = await server.listen({ host: settings.host, port: settings.port });
    say(`\n${await overview(engine, settings, loaded)}\n`);
    if (demo !== undefined) say(demoLines(demo, `${url}/api/v1`, secret));
    say(`\nServing ${url}/api/v1, described at ${url}/docs; the console is at ${url}/console/ (stop with Ctrl-C)`);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
