/** Assembles the server: store, engine, policies of a folder, and the HTTP interface. */
import { standardBlocks, webhookSender } from '@blockwork/blocks';
import { consoleAssets } from '@blockwork/console';
import {
  type Caller,
  type Clock,
  consoleLogger,
  createEngine,
  fileSecrets,
  type PolicyEngine,
  recentLog,
  SeededKeys,
  silentLogger,
  systemClock,
} from '@blockwork/core';
import { createPolicyServer, serveMetrics } from '@blockwork/http-koa';
import { timingSafeEqual } from 'node:crypto';
import { access, constants, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLink } from '../link/open-link.js';
import { offeredTemplates } from '../policies/templates.js';
import { watchPolicies } from '../watch/watch-policies.js';
import { ensureDataFolder } from './data-folder.js';
import { storyPeople, storyPolicy, tellStory } from './demo-story.js';
import { loadPolicies } from './load-policies.js';
import { offeredPolicy as policy } from './offered-policy.js';
import { openStore } from './open-store.js';
import { overview } from './overview.js';
import { sandboxLine, sandboxOf } from './sandbox.js';
import { assertShared, keySeed, tokenKeys, tokenSigner } from './secret.js';
import { isDemo, type Settings } from './settings.js';
import { linkedData } from '@blockwork/linked-data';
import { openLedger } from '../ledger/open-ledger.js';
import { metricsError, startupError } from './startup-error.js';
import { newSecret } from './stored-secret.js';

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
  const signIn = withDemo ? await demoSignIn(settings) : undefined;
  const opened = new Opened();
  try {
    const link = settings.link && (await openLink(settings.link, settings, logger));
    opened.add(async () => link?.options.link?.close());
    const { store, place, takeOver } = await openStore(settings, logger);
    opened.add(() => store.close());
    const outside = settings.ledger && (await openLedger(settings.ledger, store, logger));
    opened.add(async () => outside?.options.ledger.close());
    const sandbox = await sandboxOf(settings, auth, store);
    const engine = createEngine({
      store,
      keys,
      logger,
      recentLog: logger,
      nodeName: settings.node,
      blocks: standardBlocks({ httpRequest: { allow: settings.httpAllow } }),
      trustedInstances: withDemo ? [partnerInstance] : [],
      operators: settings.operators,
      proofs: settings.proofs,
      linkedData: linkedData(),
      drafts: withDemo && sandbox === undefined ? 'shared' : 'private',
      limits: { journalEntries: settings.journalEntries },
      templates: offeredTemplates(settings.templates, logger),
      ...link?.options,
      ...outside?.options,
      ...(sandbox !== undefined && { accounts: sandbox.accounts }),
      ...(settings.webhookAllow.length > 0 && { webhooks: webhookSender({ allow: settings.webhookAllow }) }),
      ...(settings.secrets !== undefined && { secrets: fileSecrets(settings.secrets) }),
    });
    // Also closes the store and the link; their close is idempotent.
    opened.add(() => engine.close());
    const metrics = settings.metrics && (await servedMetrics(engine, { ...settings.metrics, logger }));
    opened.add(async () => metrics?.close());
    const site = settings.documentation ?? (await packedDocumentation());
    const server = createPolicyServer(engine, {
      auth,
      logger,
      accessLog: logger.only,
      docs: { assets: swaggerUi, ...(site !== undefined && { site }) },
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
    if (site !== undefined) say(`Documentation: ${url}/docs/`);
    if (metrics !== undefined) say(`Metrics for Prometheus: ${metrics.url}/metrics`);
    if (link !== undefined) say(link.line);
    if (outside !== undefined) say(outside.line);
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

/** The pages in the published package, two levels below its manifest as this module is; a clone has none there. */
async function packedDocumentation(): Promise<string | undefined> {
  const folder = fileURLToPath(new URL('../site', import.meta.url));
  return access(join(folder, 'index.html')).then(
    () => folder,
    () => undefined,
  );
}

/** Rejects with a failure that names the variable. */
async function assertNamedFiles(
  settings: Pick<Settings, 'secrets' | 'rules' | 'documentation' | 'templates'>,
): Promise<void> {
  const {
    secrets,
    rules: { keySet },
    documentation,
    templates,
  } = settings;
  if (documentation !== undefined)
    await readable('BLOCKWORK_DOCS', documentation, () => access(join(documentation, 'index.html'), constants.R_OK));
  if (templates !== undefined) await readable('BLOCKWORK_TEMPLATES', templates, () => readdir(templates));
  // A folder of mounted secrets may be traversable only.
  if (secrets !== undefined) await readable('BLOCKWORK_SECRETS', secrets, () => readdir(secrets), ['EACCES']);
  if (keySet?.url.startsWith('file:') !== true) return;
  const file = fileURLToPath(keySet.url);
  await readable('BLOCKWORK_JWKS', file, () => access(file, constants.R_OK));
}

async function readable(
  variable: string,
  path: string,
  read: () => Promise<unknown>,
  tolerated: readonly string[] = [],
): Promise<void> {
  try {
    await read();
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (!tolerated.includes(code)) throw startupError(`${variable} names ${path}, which cannot be read (${code}).`);
  }
}

/** Resources opened during startup, closed in reverse order on shutdown or failure. */

type Close = () => Promise<unknown>;

/** Closes in the reverse order of opening. */
export class Opened {
  readonly #closes: Close[] = [];
  #closing: Promise<void> | undefined;

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything even if one fails, then rejects with the first failure. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closes.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Milliseconds. */
const LIFETIME_MS = 15 * 60_000;

interface SignInCode {
  readonly code: string;
  /** Returns the tokens once for the right code; otherwise `null`. */
  readonly redeem: (code: string) => readonly string[] | null;
}

/** `code` is a new secret; `tokens` signs the tokens on redemption. */
export function signInCode(code: string, tokens: () => readonly string[], clock: Clock): SignInCode {
  const expires = clock.now() + LIFETIME_MS;
  let isUsed = false;
  return {
    code,
    redeem: (attempt) => {
      if (isUsed || clock.now() >= expires || !isEqual(attempt, code)) return null;
      isUsed = true;
      return tokens();
    },
  };
}

function isEqual(attempt: string, code: string): boolean {
  const [left, right] = [Buffer.from(attempt), Buffer.from(code)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** `url` is the base URL of the routes. The commands work in the folder the server was started in. */
function demoLines({ hasStory }: Demo, url: string, { data }: Pick<Settings, 'data'>): string {
  const token = (who: string): string => `npx blockwork token --as ${who}${dataOption(data)}`;
  const curl = (who: string, path: string, body = ''): string =>
    `curl -s '${url}${path}' -H "Authorization: Bearer $(${token(who)})"${body}`;
  return [
    hasStory
      ? '# A token; anna and ben report their production, vera verifies, carl has applied, the owner is the registry'
      : '# A token, for the owner or for any other name',
    token(hasStory ? 'anna' : 'owner'),
    ...(hasStory ? storyLines(curl) : otherLines(curl)),
    '# Requests from other instances to the registry',
    curl('owner', '/external-policies/requests'),
  ].join('\n');
}

type Curl = (who: string, path: string, body?: string) => string;

const storyLines = (curl: Curl): string[] => {
  const tag = `/policies/${storyPolicy}/tag`;
  const site = { document: { name: 'Orchard Roofs', technology: 'Solar', capacityKW: 95 }, ref: null };
  return [
    '# Anna applies for another site, and the registry lists pending applications',
    curl('anna', `${tag}/apply/blocks`, ` -H 'Content-Type: application/json' -d '${JSON.stringify(site)}'`),
    curl('owner', `${tag}/applications/blocks`),
  ];
};

const otherLines = (curl: Curl): string[] => ['# All policies', curl('owner', '/policies')];

/** The option is omitted if the data folder is the default one. */
function dataOption(data: string): string {
  const path = relative('', data);
  return path === '.blockwork' ? '' : ` --data '${path.startsWith('..') ? data : path}'`;
}

/** A peer whose requests are accepted; here they are simulated. */
const partnerInstance = 'eastern-registry.example';
const offerId = '1794996000.204718335';

interface Demo {
  /** Whether the example policy is here; with another folder of policies, there is less to show. */
  readonly hasStory: boolean;
}

/** The identities one can act as: the registry, the users of the story, and a visitor without a role. */
const demoPeople = ({ owner }: Pick<Settings, 'owner'>): readonly Caller[] => [
  { did: owner, username: 'registry', role: 'STANDARD_REGISTRY' },
  ...Object.values(storyPeople),
  { did: 'did:example:visitor', username: 'visitor', role: 'USER' },
];

/**
 * Idempotent: the story is played once, and the request received once. With a public ledger there is no story: it would publish
 * and mint for ever, at the operator's cost.
 */
async function prepareDemo(engine: PolicyEngine, settings: Settings): Promise<Demo> {
  const registry: Caller = { did: settings.owner, username: 'registry', role: 'STANDARD_REGISTRY' };
  const hasStory = settings.ledger === undefined && (await tellStory(engine, registry));
  // A partner offers one of its policies.
  await engine.program.requests.receive({
    messageId: offerId,
    sender: { instance: partnerInstance, did: policy.owner },
    policyId: policy.id,
    action: { type: 'import-policy', policy },
  });
  return { hasStory };
}
