/** Tools that make, check and change drafts. */
import { editOperations } from '@blockwork/contract/edit-operations';
import { z } from 'zod';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import type { PolicyAt } from '../workspace.js';
import { findingsFrom } from './findings.js';
import { offset, policy } from './inputs.js';
import { pageFrom } from './pages.js';
import { changes, reads, tool, type Session } from './tool.js';

/** As much of an answer goes to findings where it holds something else, too. */
const FINDINGS_BYTES = 24_000;

const definition = z
  .record(z.string(), z.unknown())
  .describe('A whole policy: name, policyRoles, schemas and config, as in blockwork://docs/policy.schema.json.');

const createPolicy = tool({
  name: 'create_policy',
  title: 'Create a draft',
  description:
    'Creates a draft from a template of list_templates (default: "empty", a page with nothing on it), or from a whole definition.',
  input: z.strictObject({
    name: z.string().min(1).max(200).describe('In a folder, it gives the file its name.'),
    template: z.string().max(200).optional(),
    definition: definition.optional(),
  }),
  hints: changes,
  run: async (input, { workspace }) => {
    const created = await workspace.create(input);
    const findings = await workspace.use(created, ({ id, client }) => client.policy(id).findings());
    return { policy: created, findings: findingsFrom(findings, 0, FINDINGS_BYTES) };
  },
});

const checkPolicy = tool({
  name: 'check_policy',
  title: 'Check a policy',
  description:
    'Lists what is wrong with a policy, each with its code, its place and, where it is known, what would mend it. With "operations": what would be wrong after them; nothing is stored.',
  input: z.strictObject({ policy, operations: editOperations.optional(), offset }),
  hints: reads,
  run: ({ policy: name, operations, offset: from }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const at = client.policy(id);
      return findingsFrom(operations === undefined ? await at.findings() : await at.check(operations), from);
    }),
});

const editPolicy = tool({
  name: 'edit_policy',
  title: 'Edit a draft',
  description:
    'Applies operations to a draft: all of them, or none. Answers with the id of the edit, for undo_edit, and with what is wrong afterwards. Name blocks by their tags. renameTag renames in all references, too.',
  input: z.strictObject({
    policy,
    operations: editOperations,
    revision: z
      .int()
      .nonnegative()
      .optional()
      .describe('The revision that you have read: the edit is refused if others changed the same since then.'),
  }),
  hints: changes,
  run: ({ policy: name, operations, revision }, session) =>
    changed(name, session, ({ id, client }) =>
      client.policy(id).edit(operations, revision === undefined ? {} : { ifMatch: revision }),
    ),
});

const replacePolicy = tool({
  name: 'replace_policy',
  title: 'Replace the definition of a draft',
  description:
    'Replaces the whole definition of a draft, as one edit of the parts that differ, which undo_edit can undo. For small changes, use edit_policy.',
  input: z.strictObject({ policy, definition, revision: z.int().nonnegative().optional() }),
  hints: changes,
  run: ({ policy: name, definition: whole, revision }, session) =>
    changed(name, session, async ({ id, client }) => {
      const body = z.looseObject({ name: z.string(), config: z.record(z.string(), z.unknown()) }).parse(whole);
      const ifMatch = revision === undefined ? {} : { ifMatch: revision };
      return (await client.routes.replaceDefinition({ policyId: id, body, ...ifMatch })).data;
    }),
});

const undoEdit = tool({
  name: 'undo_edit',
  title: 'Undo an edit',
  description:
    'Undoes one edit of a draft, by default the latest that was not undone. Later edits of other things stay.',
  input: z.strictObject({ policy, edit: z.string().max(100).optional().describe('Its id; see list_edits.') }),
  hints: changes,
  run: ({ policy: name, edit }, session) =>
    changed(name, session, async ({ id, client }) => {
      const at = client.policy(id);
      return at.undo(edit ?? (await latestEdit(at)));
    }),
});

const listEdits = tool({
  name: 'list_edits',
  title: 'List the edits of a draft',
  description: 'Lists the edits of a draft, newest first: their ids, authors, operations, and what they undid.',
  input: z.strictObject({ policy, offset }),
  hints: reads,
  run: ({ policy: name, offset: from }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const edits = [];
      for await (const { id: edit, at, did, operations, undoes } of client.policy(id).edits()) {
        edits.push({ edit, at, did, operations, ...(undoes !== undefined && { undoes }) });
      }
      return pageFrom(edits, from);
    }),
});

type Edited = Awaited<ReturnType<ReturnType<PolicyAt['client']['policy']>['edit']>>;

/** Keeps how the policy was before the first change, for comparisons. */
async function changed(
  name: string,
  { workspace, originals }: Session,
  change: (at: PolicyAt) => Promise<Edited>,
): Promise<object> {
  if (!originals.has(name)) originals.set(name, await workspace.source(name));
  const { revision, edit, findings } = await workspace.change(name, async (at) => ({
    ...(await change(at)),
    findings: await at.client.policy(at.id).findings(),
  }));
  return { revision, edit: edit?.id ?? null, findings: findingsFrom(findings, 0, FINDINGS_BYTES) };
}

async function latestEdit(at: ReturnType<PolicyAt['client']['policy']>): Promise<string> {
  const undone = new Set<string>();
  for await (const { id, undoes } of at.edits()) {
    if (undoes === undefined && !undone.has(id)) return id;
    if (undoes !== undefined) undone.add(undoes);
  }
  throw new CommandError(exitCodes.usage, 'There is no edit to undo. See list_edits.', 'EDIT_UNKNOWN');
}

export const editingTools = [createPolicy, checkPolicy, editPolicy, replacePolicy, undoEdit, listEdits];
