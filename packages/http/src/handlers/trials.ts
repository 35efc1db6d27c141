/** Handlers of the routes about the trials of a policy. */
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okList } from './replies.js';

export const trialHandlers: HandlersOf<RoutesOf<'Trials'>> = {
  getTrial: async ({ engine, caller, params }) => ok(await engine.trials.get(caller, params.policyId)),
  restartTrial: async ({ engine, caller, params }) => ok(await engine.lifecycle.restart(caller, params.policyId)),
  addTrialUser: async ({ engine, caller, params, body }) => ({
    status: 201,
    body: await engine.trials.addUser(caller, params.policyId, body?.name),
  }),
  listSavepoints: async ({ engine, caller, params }) => okList(await engine.trials.savepoints(caller, params.policyId)),
  makeSavepoint: async ({ engine, caller, params, body }) => ({
    status: 201,
    body: await engine.trials.makeSavepoint(caller, params.policyId, body.name),
  }),
  restoreSavepoint: async ({ engine, caller, params: { policyId, savepointId } }) =>
    ok(await engine.trials.restoreSavepoint(caller, policyId, savepointId)),
  deleteSavepoint: async ({ engine, caller, params: { policyId, savepointId } }) => {
    await engine.trials.deleteSavepoint(caller, policyId, savepointId);
    return ok({});
  },
  startRecording: async ({ engine, caller, params }) => ok(await engine.trials.record(caller, params.policyId)),
  stopRecording: async ({ engine, caller, params }) => ok(await engine.trials.stopRecording(caller, params.policyId)),
  getScenario: async ({ engine, caller, params }) => ok(await engine.trials.scenario(caller, params.policyId)),
};
