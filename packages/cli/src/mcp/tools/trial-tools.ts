/** Tools that try a draft as the people who will use it. */
import type { Client } from '@blockwork/client';
import { z } from 'zod';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import type { PolicyAt } from '../workspace.js';
import { findingsFrom } from './findings.js';
import { block, person, policy } from './inputs.js';
import { changes, reads, tool } from './tool.js';

const startTrial = tool({
  name: 'start_trial',
  title: 'Start a trial',
  description:
    'Starts a trial of a draft, or begins a running one anew: it works as if it were published, on a ledger of its own. While it runs, the draft cannot be edited. A policy with errors cannot be tried; they are listed instead.',
  input: z.strictObject({ policy }),
  hints: changes,
  run: ({ policy: name }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const at = client.policy(id);
      const { status } = await at.get();
      if (status === 'DRY-RUN') await client.routes.restartTrial({ policyId: id });
      const { isValid, findings } = status === 'DRY-RUN' ? { isValid: true, findings: [] } : await at.dryRun();
      if (!isValid) return { isRunning: false, findings: findingsFrom(findings) };
      return { isRunning: true, people: ['owner', ...(await peopleOf({ id, client })).map((each) => each.name)] };
    }),
});

const endTrial = tool({
  name: 'end_trial',
  title: 'End a trial',
  description: 'Ends the trial, so that the draft can be edited again. What was entered in it is deleted.',
  input: z.strictObject({ policy }),
  hints: { ...changes, destructiveHint: true },
  run: ({ policy: name }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const { policy: record } = await client.policy(id).draft();
      return { status: record.status };
    }),
});

const addPerson = tool({
  name: 'add_person',
  title: 'Add a person to a trial',
  description:
    'Adds somebody who exists only in trials of this policy. They have no role at first: they take one by sending it to a block of the type policyRolesBlock.',
  input: z.strictObject({ policy, name: z.string().min(1).max(100) }),
  hints: changes,
  run: ({ policy: name, name: person_ }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const people = await peopleOf({ id, client });
      if (person_ === 'owner' || people.some((each) => each.name === person_)) {
        throw new CommandError(exitCodes.usage, `There is a "${person_}" already.`, 'PERSON_EXISTS');
      }
      const { data } = await client.routes.addTrialUser({ policyId: id, body: { name: person_ } });
      return { name: data.name, did: data.did };
    }),
});

const readBlock = tool({
  name: 'read_block',
  title: 'Read a block as somebody',
  description:
    'Reads in a trial what a block shows somebody: the fields of a form, the rows of a grid, the children of a container. Without "block": the page that the policy begins with.',
  input: z.strictObject({
    policy,
    as: person,
    block: block.optional(),
    page: z.int().nonnegative().optional().describe('Of a grid, counted from 0.'),
    itemsPerPage: z.int().min(1).max(100).optional(),
  }),
  hints: reads,
  narrower: 'Read a block in it, or fewer items per page.',
  run: ({ policy: name, as, block: tag, page, itemsPerPage }, { workspace }) =>
    workspace.use(name, async (at) => {
      const client = await clientAs(at, as);
      if (tag === undefined) return client.policy(at.id).root();
      const query = { ...(page !== undefined && { page }), ...(itemsPerPage !== undefined && { itemsPerPage }) };
      return client.policy(at.id).block(named(tag)).read(query);
    }),
});

const sendToBlock = tool({
  name: 'send_to_block',
  title: 'Send data to a block as somebody',
  description:
    'Sends data to a block in a trial, as its form or button would: to a form {"document": {...}, "ref": null}, to a roles block {"role": "Producer"}, to a button {"document": <the row>, "tag": "<button>"}. See blockwork://blocks/<type> for what a block takes.',
  input: z.strictObject({ policy, as: person, block, data: z.unknown() }),
  hints: changes,
  run: ({ policy: name, as, block: tag, data }, { workspace }) =>
    workspace.use(name, async (at) => {
      const client = await clientAs(at, as);
      const input = z.json().parse(data ?? null);
      return {
        answer: await client
          .policy(at.id)
          .block(named(tag))
          .send(input as never),
      };
    }),
});

const explainBlock = tool({
  name: 'explain_block',
  title: 'Explain why a block is open or closed to somebody',
  description:
    'Explains in a trial, step by step, whether somebody may use a block, and what they would have to do first.',
  input: z.strictObject({ policy, as: person, block }),
  hints: reads,
  run: ({ policy: name, as, block: tag }, { workspace }) =>
    workspace.use(name, async (at) => (await clientAs(at, as)).policy(at.id).block(named(tag)).explain()),
});

const runTimer = tool({
  name: 'run_timer',
  title: 'Let a timer go off',
  description: 'Lets a timer block of a trial go off now.',
  input: z.strictObject({ policy, block }),
  hints: changes,
  run: ({ policy: name, block: tag }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => (await client.routes.runTimer({ policyId: id, tag })).data),
});

const named = (block: string): string | { readonly uuid: string } =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(block) ? { uuid: block } : block;

const peopleOf = async ({ id, client }: Pick<PolicyAt, 'id' | 'client'>) =>
  (await client.routes.getTrial({ policyId: id })).data.users;

/** Throws `PERSON_UNKNOWN`, with the names there are. */
async function clientAs(at: PolicyAt, name: string): Promise<Client> {
  if (name === 'owner') return at.client;
  const people = await peopleOf(at);
  const someone = people.find((each) => each.name === name);
  if (someone !== undefined) return at.as(someone.did);
  const names = ['owner', ...people.map((each) => each.name)].slice(0, 50).join(', ');
  const message = `There is nobody called "${name}" in this trial, only ${names}. Use add_person.`;
  throw new CommandError(exitCodes.usage, message, 'PERSON_UNKNOWN');
}

export const trialTools = [startTrial, endTrial, addPerson, readBlock, sendToBlock, explainBlock, runTimer];
