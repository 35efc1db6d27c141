/** What the users of a played policy are shown: answers of blocks without what differs from run to run, small enough to be read. */
import { isBlockworkError, type Caller, type Json, type PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';

export type Answers = Readonly<Record<string, Json>>;

/** Rows of a grid that are kept. */
const ROWS = 1;

/** By tag: every block that the user gets to from the root, through containers, steps, grids and their columns. */
export async function answersFor(engine: PolicyEngine, policyId: string, caller: Caller): Promise<Answers> {
  const policy = await engine.getPolicy(caller, policyId);
  const tags = new Map<string, string>();
  const noteTags = (block: unknown): void => {
    if (!isObject(block)) return;
    tags.set(String(block['id']), String(block['tag']));
    for (const child of asList(block['children'])) noteTags(child);
  };
  noteTags(policy.config);

  const answers: Record<string, Json> = {};
  const visit = async (block: { tag: string } | { uuid: string }): Promise<void> => {
    const name = 'tag' in block ? block.tag : (tags.get(block.uuid) ?? block.uuid);
    if (Object.hasOwn(answers, name)) return;
    answers[name] = null;
    const answer: Json = await engine.readBlock<Json>(caller, policyId, block).catch((error: unknown): Json => {
      if (isBlockworkError(error)) return { refused: error.code };
      throw error;
    });
    answers[name] = brief(answer);
    const { blocks, commonAddons, fields } = isObject(answer) ? answer : {};
    for (const child of [...asList(blocks), ...asList(commonAddons)]) {
      if (isObject(child)) await visit({ uuid: String(child['id']) });
    }
    for (const field of asList(fields)) {
      if (isObject(field) && typeof field['bindBlock'] === 'string' && field['bindBlock'] !== '') {
        await visit({ tag: field['bindBlock'] });
      }
    }
  };
  const { id: root } = await engine.readRoot<{ id: string }>(caller, policyId);
  await visit({ uuid: root });
  return answers;
}

/** The reports of the latest presentation. */
export async function reportsOn(engine: PolicyEngine, policyId: string, owner: Caller): Promise<Answers> {
  const { items } = await engine.documents.list(owner, policyId, { dataType: 'vp-documents', from: 'newest' });
  const hash = items[0]?.hash;
  if (typeof hash !== 'string') return {};
  const reports: Record<string, Json> = {};
  const look = async (block: unknown): Promise<void> => {
    if (!isObject(block)) return;
    const tag = String(block['tag']);
    if (block['blockType'] === 'reportBlock') {
      reports[tag] = brief(await engine.readBlock<Json>(owner, policyId, { tag }, { hash }));
    }
    for (const child of asList(block['children'])) await look(child);
  };
  await look((await engine.getPolicy(owner, policyId)).config);
  return reports;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Fields in one line each, two rows, and neither schemas, contexts nor proofs. */
function brief(value: Json, key = ''): Json {
  if (typeof value === 'string') return normalized(value);
  if (Array.isArray(value)) {
    if (key === 'fields' && value.every((each) => isObject(each) && 'isArray' in each)) return value.map(fieldLine);
    const rows = value.slice(0, ROWS).map((each) => brief(each));
    return value.length > ROWS && key === 'data'
      ? [...rows, `and ${String(value.length - ROWS)} more`]
      : listOf(value, key, rows);
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, Json] => [
    normalized(name),
    left.has(name) && member !== null ? `<${name}>` : brief(member, name),
  ]);
  return Object.fromEntries(entries);
}

const listOf = (value: readonly Json[], key: string, rows: Json[]): Json =>
  key === 'data' ? rows : value.map((each) => brief(each));

/** What is long, and looked at elsewhere. */
const left: ReadonlySet<string> = new Set([
  '@context',
  'context',
  'proof',
  'conditions',
  'comment',
  '$defs',
  'properties',
]);

function fieldLine(field: Json): Json {
  const { name, type, isArray, required, fields, customType } = field as Record<string, Json>;
  const kind = [customType, type].find((each) => typeof each === 'string') ?? '';
  const marks = `${isArray === true ? '[]' : ''}${required === true ? '!' : ''}`;
  const line = `${typeof name === 'string' ? name : ''}: ${normalized(typeof kind === 'string' ? kind : '')}${marks}`;
  return Array.isArray(fields) && fields.length > 0 ? [line, ...fields.map(fieldLine)] : line;
}

/** Ids, dates, hashes and what is made of them. */
const normalized = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\b[0-9a-f]{24}\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<date>')
    .replaceAll(/\b\d{10}\.\d{9}\b/g, '<message>')
    .replaceAll(/\b0\.0\.\d+\b/g, '<entity>')
    .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g, '<hash>')
    .replaceAll(/_\d{13}\b/g, '_<time>');
