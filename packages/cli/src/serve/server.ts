/** Assembles the server: store, engine, policies of a folder, and the HTTP interface. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { standardBlocks, webhookSender } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import {
  consoleLogger,
  createEngine,
  fileSecrets,
  recentLog,
  SeededKeys,
  silentLogger,
  systemClock,
} from '@blockwork/core';
import { createPolicyServer, serveMetrics } from '@blockwork/http-koa';
import { ensureDataFolder } from './data-folder.js';
import { demoLines } from './demo-lines.js';
import { demoPeople, partnerInstance, prepareDemo } from './demo.js';
import { newSecret } from './stored-secret.js';
import { loadPolicies } from './load-policies.js';
import { assertNamedFiles } from './named-files.js';
import { openStore } from './open-store.js';
import { Opened } from './opened.js';
import { overview } from './overview.js';
import { sandboxLine, sandboxOf } from './sandbox.js';
import { assertShared, keySeed, tokenKeys, tokenSigner } from './secret.js';
import { isDemo, type Settings } from './settings.js';
import { openLink } from '../link/open-link.js';
import { signInCode, type SignInCode } from './sign-in-code.js';
import { metricsError } from './startup-error.js';
import { watchPolicies } from '../watch/watch-policies.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

export interface RunningServer {
  readonly url: string;
  /** Completes requests in progress, then flushes and releases the store. */
  close(): Promise<void>;
}

/**
 * Starts everything, reporting each step to `say`. If a step fails, everything opened so far is closed. `watches`: reload
 * policy files when they change, and report that to `say`.
 */
export async function start(
  settings: Settings,
  say: (line: string) => void,
  { watches = false }: { readonly watches?: boolean } = {},
): Promise<RunningServer> {
  assertShared(settings, settings.rules.keySet === undefined ? ['secret', 'keySeed'] : ['keySeed']);
  await assertNamedFiles(settings);
  if (settings.database === undefined) await ensureDataFolder(settings.data);
  const auth = await tokenKeys(settings);
  const logger = recentLog({
    to: settings.log === 'silent' ? silentLogger : consoleLogger({ level: settings.log, format: settings.logFormat }),
  });
  const keys = new SeededKeys(await keySeed(settings));
  const withDemo = isDemo(settings);
  const sandbox = await sandboxOf(settings, auth);
  const signIn = withDemo ? await demoSignIn(settings) : undefined;
  const opened = new Opened();
  try {
    const link = settings.link && (await openLink(settings.link, settings, logger));
    opened.add(async () => link?.options.link?.close());
    const { store, place, takeOver } = await openStore(settings, logger);
    opened.add(() => store.close());
    const engine = createEngine({
      store,
      keys,
      logger,
      recentLog: logger,
      nodeName: settings.node,
      blocks: standardBlocks({ httpRequest: { allow: settings.httpAllow } }),
      trustedInstances: withDemo ? [partnerInstance] : [],
      operators: settings.operators,
      drafts: withDemo && sandbox === undefined ? 'shared' : 'private',
      limits: { journalEntries: settings.journalEntries },
      ...link?.options,
      ...(sandbox !== undefined && { accounts: sandbox.accounts }),
      ...(settings.webhookAllow.length > 0 && { webhooks: webhookSender({ allow: settings.webhookAllow }) }),
      ...(settings.secrets !== undefined && { secrets: fileSecrets(settings.secrets) }),
    });
    // Also closes the store and the link; their close is idempotent.
    opened.add(() => engine.close());
    const metrics = settings.metrics && (await servedMetrics(engine, { ...settings.metrics, logger }));
    opened.add(async () => metrics?.close());
    const server = createPolicyServer(engine, {
      auth,
      logger,
      accessLog: logger.only,
      docs: { assets: swaggerUi },
      console: {
        assets: consoleAssets,
        ...(signIn && { signIn: signIn.redeem }),
        ...(settings.provider && { provider: settings.provider }),
      },
      drainTime: settings.drainMs,
      ...(settings.metricsToken !== undefined && { metrics: { token: settings.metricsToken } }),
      ...settings.limits,
      ...(sandbox !== undefined && { sandbox }),
    });
    opened.add(() => server.close());
    await takeOver(engine);
    const loaded = await loadPolicies(engine, settings);
    for (const { file, outcome } of loaded) say(`${file}: ${outcome}`);
    const demo = withDemo ? await prepareDemo(engine, settings) : undefined;
    const { url } = await server.listen({ host: settings.host, port: settings.port });
    say(`\n${await overview(engine, settings, loaded)}\n`);
    say(
      `Serving ${url}/api/v1 from ${place} (stop with Ctrl-C); open the console:\n${url}/console/${signIn ? `#code=${signIn.code}` : ''}`,
    );
    if (metrics !== undefined) say(`Metrics for Prometheus: ${metrics.url}/metrics`);
    if (link !== undefined) say(link.line);
    if (sandbox !== undefined) say(sandboxLine(settings));
    if (watches && settings.policies !== undefined) {
      const { policies: folder, owner, sandbox: mode } = settings;
      const watched = { engine, folder, owner, sandbox: mode };
      const watch = await watchPolicies(watched, (text) => say(`\n${text}`));
      opened.add(() => watch.close());
      say(`Watching ${settings.policies}: policies saved there are reloaded.`);
    }
    if (demo !== undefined) say(`\n${demoLines(demo, `${url}/api/v1`, settings)}`);
    return { url, close: () => opened.close() };
  } catch (error) {
    await opened.close().catch((failure: unknown) => {
      logger.warn('Some resources could not be closed.', { error: failure });
    });
    throw error;
  }
}

/** The console's address carries a one-time code for the tokens of all users of the demonstration. */
async function demoSignIn(settings: Settings): Promise<SignInCode> {
  const sign = await tokenSigner(settings);
  return signInCode(newSecret(), () => demoPeople(settings).map((person) => sign(person)), systemClock);
}

const servedMetrics: typeof serveMetrics = (engine, options) =>
  serveMetrics(engine, options).catch((error: unknown) => {
    throw metricsError(error);
  });
