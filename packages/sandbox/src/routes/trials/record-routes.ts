/** Recordings of dry runs: made, filed, and played again. */
import { isBlockworkError, type JsonObject } from '@blockwork/core';
import { SandboxError } from '../../errors.js';
import { Shelf } from '../../memory/shelf.js';
import { download, ok, ZIP, type SandboxCall, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { recordFile, scriptIn } from '../../trials/recorded-script.js';
import { Replay } from '../../trials/replay.js';
import type { RouteDeps } from '../route-deps.js';
import { trialOf, type OwnTrial } from './own-trial.js';

/** Replays that are remembered, one for each policy. */
const REPLAYS = 100;

export function recordRoutes(deps: RouteDeps): SandboxRoute[] {
  const replays = new Shelf<Replay>({ what: 'replays', count: REPLAYS, whenFull: 'forget-oldest' });
  const path = '/record/{policyId}';
  const replayOf = async (call: SandboxCall): Promise<Replay> => {
    const { policyId } = await trialOf(deps, call);
    const replay = replays.get(policyId);
    if (replay === undefined) throw new SandboxError('THING_UNKNOWN', { what: 'replay of the policy', id: policyId });
    return replay;
  };
  const post = (route: string, handle: (call: SandboxCall) => Promise<unknown>): SandboxRoute => ({
    ...{
      method: 'POST',
      path: `${path}/running/${route}`,
      body: 'data',
      handle: async (call) => ok(await handle(call)),
    },
  });
  return [
    { method: 'GET', path: `${path}/status`, handle: async (call) => ok(await statusOf(deps, call, replays)) },
    ...recordingRoutes(deps, path),
    {
      method: 'POST',
      path: `${path}/running/start`,
      body: 'file',
      handle: async (call) => {
        const trial = await trialOf(deps, call);
        const replay = await replayIn(deps, trial, call);
        replays.put(trial.policyId, replay);
        await replay.run();
        return ok({ id: replay.uuid });
      },
    },
    post('stop', async (call) => {
      const replay = await replayOf(call);
      if (replay.status === 'Error') replay.status = 'Stopped';
      return true;
    }),
    // A replay never waits, so there is nothing to skip in time.
    post('fast-forward', async (call) => replayOf(call).then(() => true)),
    post('retry', async (call) => {
      const replay = await replayOf(call);
      if (replay.status === 'Error') await replay.run();
      return true;
    }),
    post('skip', async (call) => {
      const replay = await replayOf(call);
      if (replay.status !== 'Error') return true;
      replay.index += 1;
      await replay.run();
      return true;
    }),
    {
      method: 'GET',
      path: `${path}/running/results`,
      handle: async (call) => ok(resultsOf(await replayOf(call)).results),
    },
    {
      method: 'GET',
      path: `${path}/running/details`,
      handle: async (call) => ok(resultsOf(await replayOf(call)).details),
    },
  ];
}

function recordingRoutes(deps: RouteDeps, path: string): SandboxRoute[] {
  const { engine, trials } = deps;
  return [
    {
      method: 'POST',
      path: `${path}/recording/start`,
      body: 'data',
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        await engine.trials.record(owner, policyId);
        await trials.restart(policyId);
        return ok(true);
      },
    },
    {
      method: 'POST',
      path: `${path}/recording/stop`,
      body: 'data',
      handle: async (call) => {
        const { policyId, owner } = await trialOf(deps, call);
        await engine.trials.stopRecording(owner, policyId);
        return download(`${policyId}.record`, ZIP, recordFile(await recorded(deps, { policyId, owner })));
      },
    },
    {
      method: 'GET',
      path: `${path}/recording/actions`,
      handle: async (call) => {
        const trial = await trialOf(deps, call);
        const { policyId } = trial;
        const script = (await recorded(deps, trial)).filter(({ method }) => method !== 'GET');
        return ok(
          script.map(({ method, as, tag }, index) => ({
            ...{ id: String(index + 1), policyId, method: 'ACTION', user: as, target: tag },
            action: method === 'TICK' ? 'TICK' : 'SET_BLOCK_DATA',
          })),
        );
      },
    },
  ];
}

/** Empty as long as nothing was done. */
async function recorded({ engine }: RouteDeps, { owner, policyId }: OwnTrial): Promise<readonly JsonObject[]> {
  try {
    return await engine.trials.scenario(owner, policyId);
  } catch (error) {
    if (isBlockworkError(error, 'RECORDING_UNKNOWN')) return [];
    throw error;
  }
}

/** The trial begins again, without its virtual users: the script has its own. */
async function replayIn(deps: RouteDeps, { owner, policyId }: OwnTrial, { body }: SandboxCall): Promise<Replay> {
  const { engine, trials, accounts, ids } = deps;
  const script = scriptIn(body as Uint8Array);
  await engine.lifecycle.restart(owner, policyId);
  await trials.forget(policyId);
  const newUser = async (): Promise<{ did: string; username: string }> => {
    const { did = '', username = '' } = (await trials.add(policyId, owner.did)).at(-1) ?? {};
    return { did, username };
  };
  return new Replay(ids.uuid(), script, {
    engine,
    policyId,
    owner,
    newUser,
    accountOf: (did) => accounts.accountOf(did),
  });
}

/** `null` while nothing is recorded or played, and for everybody but the owner. */
async function statusOf(deps: RouteDeps, call: SandboxCall, replays: Shelf<Replay>): Promise<object | null> {
  const { policyId = '' } = call.params;
  const caller = callerOf(await call.person());
  if ((await deps.engine.getPolicy(caller, policyId)).owner !== caller.did) return null;
  const { owner } = await trialOf(deps, call);
  const { recording } = await deps.engine.trials.get(owner, policyId);
  if (recording !== null && recording.stopDate === null) {
    return { type: 'Recording', policyId, uuid: policyId, status: 'Recording', index: recording.steps };
  }
  const replay = replays.get(policyId);
  if (replay === undefined) return null;
  const { uuid, status, index, error } = replay;
  return { type: 'Running', policyId, uuid, id: uuid, status, index, error };
}

function resultsOf({ checks, script, index, status, error }: Replay): { results: object; details: object } {
  const documents = checks.map(({ tag, user, expected, got }) => ({
    ...{ type: 'grid', schema: tag, user, rate: expected === got ? '100%' : '0%', documents: { expected, got } },
  }));
  const same = checks.filter(({ expected, got }) => expected === got).length;
  const total = checks.length === 0 ? 100 : Math.floor((same * 100) / checks.length);
  const info = { tokens: 0, documents: checks.reduce((sum, { got }) => sum + got, 0) };
  const results = { info, total, documents };
  const left = { steps: script.length, done: index, status, error };
  return { results, details: { left, right: results, total, documents: { columns: [], report: documents } } };
}
