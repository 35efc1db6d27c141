/** Routes about the trials of a policy: users, savepoints and recordings. For the owner of the policy only. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { component } from '../component.js';
import { policyId, savepointId } from '../parameter.js';
import { timestamp } from '../records/identifiers.js';
import { json } from '../records/json.js';
import { route } from '../route.js';
import { statusChange } from './lifecycle.js';

const user = component(
  'VirtualUser',
  z.object({
    did: z.string().describe('Value for the header `Act-As`.'),
    name: z.string(),
    createDate: timestamp,
  }),
);

const recording = component(
  'Recording',
  z.object({
    startDate: timestamp,
    stopDate: timestamp.nullable().describe('`null` while recording.'),
    steps: z.int(),
    bytes: z.int(),
    isFull: z.boolean().describe('Whether it was stopped by a limit.'),
  }),
);

const trial = component(
  'Trial',
  z.object({
    users: z.array(user),
    savepoint: z.string().nullable().describe('The savepoint last created or restored.'),
    recording: recording.nullable(),
  }),
);

const savepoint = component(
  'Savepoint',
  z.object({
    id: z.string(),
    name: z.string(),
    did: z.string().describe('Creator.'),
    createDate: timestamp,
    parent: z.string().nullable().describe('The savepoint that the trial was based on.'),
    records: z.int(),
    bytes: z.int(),
    documents: z.int(),
    recording: recording.nullable(),
  }),
);

const newUser = component(
  'NewVirtualUser',
  z.object({ name: z.string().max(100).optional().describe('"User" and a number if absent.') }),
  { name: 'Alice' },
);
const newSavepoint = component('NewSavepoint', z.object({ name: z.string().min(1).max(200) }), { name: 'Approved' });

const ofOwner = { permission: 'POLICIES_POLICY_MANAGE', params: { policyId }, query: { kind: 'none' } } as const;
const nothing = { body: { kind: 'none' } } as const;

export const trialRoutes = {
  getTrial: route({
    method: 'GET',
    path: '/policies/{policyId}/trial',
    summary: 'Reads the trial of a policy: its users, its current savepoint and its recording.',
    ...ofOwner,
    ...nothing,
    answers: { 200: { description: 'The trial.', schema: trial }, ...refused(400, 404) },
  }),
  restartTrial: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/restart',
    summary: 'Resets a trial. Its users and savepoints remain.',
    ...ofOwner,
    ...nothing,
    answers: { 200: statusChange, ...refused(400, 404, 409, 413) },
  }),
  addTrialUser: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/users',
    summary:
      'Creates a user that exists only in the trials of this policy. The owner acts as that user with the header `Act-As`.',
    ...ofOwner,
    body: { kind: 'json', schema: newUser, optional: 'always' },
    answers: { 201: { description: 'The person.', schema: user }, ...refused(400, 404, 409, 413, 415, 422) },
  }),
  listSavepoints: route({
    method: 'GET',
    path: '/policies/{policyId}/trial/savepoints',
    summary: 'Lists the savepoints of a policy, oldest first.',
    ...ofOwner,
    ...nothing,
    answers: {
      200: { description: 'Savepoints.', schema: z.array(savepoint), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  makeSavepoint: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/savepoints',
    summary: 'Creates a savepoint of the current state of a trial.',
    ...ofOwner,
    body: { kind: 'json', schema: newSavepoint },
    answers: { 201: { description: 'The savepoint.', schema: savepoint }, ...refused(400, 404, 409, 413, 415, 422) },
  }),
  restoreSavepoint: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/savepoints/{savepointId}/restore',
    summary: 'Restores a trial to a savepoint. The other savepoints remain.',
    ...ofOwner,
    params: { policyId, savepointId },
    ...nothing,
    answers: { 200: { description: 'The savepoint.', schema: savepoint }, ...refused(400, 404, 409, 413) },
  }),
  deleteSavepoint: route({
    method: 'DELETE',
    path: '/policies/{policyId}/trial/savepoints/{savepointId}',
    summary: 'Deletes a savepoint. Savepoints based on it remain.',
    ...ofOwner,
    params: { policyId, savepointId },
    ...nothing,
    answers: { 200: { description: 'Done.', schema: z.object({}) }, ...refused(400, 404, 409) },
  }),
  startRecording: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/recording',
    summary: 'Resets a trial and starts recording the data sent in it.',
    ...ofOwner,
    ...nothing,
    answers: { 200: { description: 'The trial.', schema: trial }, ...refused(400, 404, 409, 413) },
  }),
  stopRecording: route({
    method: 'POST',
    path: '/policies/{policyId}/trial/recording/stop',
    summary: 'Stops the recording, which is kept until the trial is restarted.',
    ...ofOwner,
    ...nothing,
    answers: { 200: { description: 'The trial.', schema: trial }, ...refused(400, 404, 409) },
  }),
  getScenario: route({
    method: 'GET',
    path: '/policies/{policyId}/trial/recording/scenario',
    summary: 'Reads the recording so far as a scenario for `blockwork test`.',
    ...ofOwner,
    ...nothing,
    answers: {
      200: { description: 'The steps of the scenario.', schema: z.array(z.record(z.string(), json)) },
      ...refused(400, 404),
    },
  }),
} as const;
