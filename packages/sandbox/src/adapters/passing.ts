/** Forwards requests to the HTTP interface, adapting the caller, the body and the response for clients of the reference. */
import type { PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import {
  type BodyBudget,
  BodyShare,
  type HttpAnswer,
  type HttpRequest,
  jsonHeaders,
  type LayerHost,
} from '@blockwork/http';
import type { SessionTokens } from '../accounts/session-tokens.js';
import type { Trials } from '../memory/trials.js';
import { isForm, readData } from '../requests/endpoint.js';
import { PassedRequest } from '../requests/passed-request.js';
import { callerOf, type People, type Person } from '../requests/person.js';
import { errorOf, refused, withStatusCode } from '../requests/refusal.js';
import { actsInPolicy, blockPath, isGroupChoice } from './policy-path.js';

export interface PassingDeps {
  readonly host: LayerHost;
  readonly engine: PolicyEngine;
  readonly people: People;
  readonly tokens: SessionTokens;
  readonly trials: Trials;
  readonly bodies: BodyBudget;
  readonly emptyForClosedBlocks: boolean;
  /** Called after a forwarded request has been answered. */
  readonly answered: (passed: Passed, answer: HttpAnswer) => void;
}

/** A forwarded request. */
export interface Passed {
  readonly request: HttpRequest;
  readonly person: Person;
}

/** Maximum size of a form or a choice of group in bytes; clients send only a few short members. */
const FORM_LIMIT = 64 * 1024;

type Next<Source> = (request: HttpRequest<Source>) => Promise<HttpAnswer> | undefined;

export class Passing {
  constructor(private readonly deps: PassingDeps) {}

  /** `next` has a route for the request. Never rejects. */
  async answer<Source>(request: HttpRequest<Source>, next: Next<Source>): Promise<HttpAnswer> {
    const { host, bodies, people } = this.deps;
    const share = new BodyShare(bodies);
    try {
      // The interface itself handles public routes and rejects unauthenticated requests to others.
      if (request.header('authorization') === undefined) return await this.#next(request, next);
      const person = await people.of(request);
      if (person.caller === null && this.#isInbox(request)) return emptyList(host.requestIdOf(request));
      const isChoice = this.#choosesGroup(request);
      const isRead = isForm(request) || isChoice;
      const headers = { ...(await this.#authorization(request, person)), ...(isRead ? asJson : {}) };
      const data = isRead ? await readData(request, { limit: FORM_LIMIT, share }) : undefined;
      // Without a choice none is meant, as with `null`.
      const parsedBody = isChoice && isObject(data) ? { uuid: null, ...data } : data;
      const answer = await this.#next(new PassedRequest(request, { headers, parsedBody }), next);
      this.deps.answered({ request, person }, answer);
      return answer;
    } catch (error) {
      return forOldClients(request, refused(request, error, host), this.deps);
    } finally {
      share.release();
    }
  }

  async #next<Source>(request: HttpRequest<Source>, next: Next<Source>): Promise<HttpAnswer> {
    const answer = await next(request);
    if (answer === undefined) throw new Error('A matched route is missing.');
    return forOldClients(request, answer, this.deps);
  }

  /** Read by the header of every page, even for an account without a profile. */
  #isInbox({ method, path }: HttpRequest): boolean {
    return method === 'GET' && path.slice(this.deps.host.prefix.length).replace(/\/$/, '') === '/notifications';
  }

  #choosesGroup({ method, path }: HttpRequest): boolean {
    return method === 'POST' && isGroupChoice(path.slice(this.deps.host.prefix.length));
  }

  /** The token of the effective caller, if it differs from the sender. */
  async #authorization(request: HttpRequest, person: Person): Promise<{ authorization?: string }> {
    const { engine, tokens, trials, host } = this.deps;
    const caller = callerOf(person);
    const policyId = actsInPolicy(request.path.slice(host.prefix.length));
    const acting = policyId === undefined ? undefined : trials.activeFor(policyId, caller);
    if (acting !== undefined && policyId !== undefined) {
      // The policy may have left its trial through another route than the sandbox's.
      const { status } = await engine.getPolicy(caller, policyId);
      if (status === 'DRY-RUN') return { authorization: `Bearer ${tokens.forCaller(acting)}` };
      await trials.forget(policyId);
    }
    // A token from before the profile was set names no identity.
    return person.account === null ? {} : { authorization: `Bearer ${tokens.access(person.account)}` };
  }
}

const emptyList = (requestId: string): HttpAnswer => ({
  ...{ status: 200, headers: { ...jsonHeaders(requestId), 'X-Total-Count': '0' }, body: '[]' },
});

const asJson = { 'content-type': 'application/json' };

interface AnswerRules {
  readonly host: Pick<LayerHost, 'prefix'>;
  readonly emptyForClosedBlocks: boolean;
}

/** A closed or unknown block becomes an empty response, and errors get `statusCode`. Everything else is unchanged. */
function forOldClients(request: HttpRequest, answer: HttpAnswer, rules: AnswerRules): HttpAnswer {
  const body = errorOf(answer);
  if (body === undefined) return answer;
  if (rules.emptyForClosedBlocks && isReadOfBlock(request, rules) && closed.has(String(body['error']))) {
    const { 'Content-Type': _, Allow: _allow, ...headers } = answer.headers as Record<string, string>;
    return { status: 200, headers, body: null };
  }
  return withStatusCode(answer);
}

const closed = new Set(['BLOCK_FORBIDDEN', 'BLOCK_NOT_ACTIVE', 'BLOCK_NOT_READABLE', 'BLOCK_NEITHER', 'BLOCK_UNKNOWN']);

const isReadOfBlock = ({ method, path }: HttpRequest, { host }: AnswerRules): boolean =>
  (method === 'GET' || method === 'HEAD') && blockPath(path.slice(host.prefix.length)) !== undefined;
