/** Verifies a bundle: reads it, runs all checks, and reports. */
import { type Bundle, readBundle } from './contents/bundle.js';
import { type Context, contextOf, type LinkedData, dateOf, signerOf, subjectOf, textAt } from './checks/context.js';
import { checkDocuments } from './checks/documents.js';
import { checkIntegrity } from './checks/integrity.js';
import { checkKeys } from './checks/keys.js';
import { checkLinks } from './checks/links.js';
import { checkLog } from './checks/log.js';
import { checkMints } from './checks/mints.js';
import { checkRoles, rolesAt } from './checks/roles.js';
import { checkSchemas } from './checks/schemas.js';
import { presentTime } from './clock.js';
import type { JsonObject } from './json.js';
import { type Chapter, Findings, type Report } from './report/report.js';

/** Levels of JSON within each other. */
const DEPTH = 400;

/** Options of a verification. */
export interface VerifyBundleOptions {
  /** In milliseconds since 1970; default: now. */
  readonly now?: number;
  /**
   * `linkedData()` of `@blockwork/linked-data`, to check proofs of the suite `Ed25519Signature2018`. Without it, they are
   * among what is `unchecked`, and the report is not `ok`.
   */
  readonly linkedData?: LinkedData;
  /** A checkpoint of the journal's log that somebody kept: the log in the bundle must continue it. */
  readonly since?: string;
}

/**
 * Verifies a bundle, given as the value of its JSON. Accepts any value, asks nobody, and never throws because of the value.
 * `now`, in milliseconds since 1970, is compared with the dates on which proofs expire. `since` is a checkpoint of the
 * journal's log that somebody kept: the log in the bundle must continue it.
 *
 * @example const { ok, wrong, unchecked } = await verifyBundle(JSON.parse(text));
 */
export async function verifyBundle(
  value: unknown,
  { now = presentTime(), linkedData, since }: VerifyBundleOptions = {},
): Promise<Report> {
  const findings = new Findings();
  const bundle = jsonProblem(value, DEPTH) ?? readBundle(value);
  if (typeof bundle === 'string') {
    findings.fail('bundle', bundle);
    return reportOf('This is not a bundle that can be verified.', [], findings);
  }
  const context = contextOf(bundle, findings, now, linkedData);
  await checkIntegrity(context, value as JsonObject);
  await checkKeys(context);
  await checkDocuments(context);
  checkSchemas(context);
  checkLinks(context);
  checkRoles(context);
  checkMints(context);
  await checkLog(context, since);
  return reportOf(titleOf(bundle), chaptersOf(context), findings);
}

const reportOf = (title: string, chapters: readonly Chapter[], findings: Findings): Report => ({
  ok: findings.wrong.length === 0 && findings.unproven === 0,
  title,
  chapters,
  held: findings.held,
  wrong: findings.wrong,
  unchecked: findings.unchecked,
});

/** In these states, what a policy does is discarded, or is a demonstration. */
const trials: ReadonlySet<string> = new Set(['DRAFT', 'DRY-RUN', 'DEMO']);

function titleOf({ about, policy, mints, tokens, created }: Bundle): string {
  const minted = mints.map(
    ({ amount, tokenId }) => `${amount} ${tokens.find(({ id }) => id === tokenId)?.tokenSymbol ?? tokenId}`,
  );
  const what = about.kind === 'mint' ? `the mint of ${minted.join(' and ')}` : `the document ${about.documentId}`;
  const version = policy.version === '' ? '' : ` ${policy.version}`;
  const trial = trials.has(policy.status) ? `In a trial (${policy.status}), which counts for nothing: ` : '';
  return `${trial}Proof of ${what}, of the policy "${policy.name}"${version} of ${policy.owner}, made ${created}.`;
}

function chaptersOf(context: Context): Chapter[] {
  const { bundle } = context;
  const names = new Map(bundle.schemas.map(({ id, name }) => [id, name]));
  return bundle.documents.map(({ type = '', schema = '', document }) => {
    const [date, by] = [dateOf(document), signerOf(document)];
    const kind = names.get(schema) ?? textAt(subjectOf(document) ?? {}, 'type');
    return {
      date,
      what: [type, kind].filter((each) => each !== '').join(': ') || 'document',
      by,
      roles: rolesAt(context, by, date),
    };
  });
}

/** Why it is not the value of a JSON text of bearable depth; looked at before anything recursive runs. */
function jsonProblem(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `It holds ${String(value)}, which is not JSON.`;
  if (typeof value !== 'object') return `It holds a value of the type ${typeof value}, which is not JSON.`;
  if (depth === 0) return 'It nests too deep.';
  for (const member of Object.values(value)) {
    const problem = jsonProblem(member, depth - 1);
    if (problem !== null) return problem;
  }
  return null;
}
