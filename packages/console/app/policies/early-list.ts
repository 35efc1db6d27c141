/**
 * Requests the first page of the list of policies if the address leads to it. A separate script without libraries, so that
 * the request is in flight while those load.
 */
import { loadSettings, serverUrl } from '../api/settings.js';
import { storedPeople } from '../session/stored-people.js';

/** Items per page, in this and every other list. */
export const PAGE_SIZE = 50;

interface Early {
  readonly url: string;
  readonly authorization: string;
  readonly answer: Promise<Response>;
}

let early: Early | undefined;

/** Whether the URL leads to the list of policies. */
export const isOfPolicies = (): boolean => /^#?\/?(policies)?$/.test(window.location.hash);

async function ask(token: string): Promise<void> {
  const { prefix } = await loadSettings();
  const url = `${serverUrl()}${prefix}/policies?pageIndex=0&pageSize=${String(PAGE_SIZE)}`;
  const authorization = `Bearer ${token}`;
  early = { url, authorization, answer: fetch(url, { headers: { authorization } }) };
  // The consumer of the response handles the failure.
  early.answer.catch(() => undefined);
}

/** The response of the early request, once; `undefined` for any other request. */
export function takeEarly({ url, headers }: Request): Promise<Response> | undefined {
  if (early?.url !== url || early.authorization !== headers.get('authorization')) return undefined;
  const { answer } = early;
  early = undefined;
  return answer;
}

const { active } = storedPeople();
// Whoever needs the settings reports the failure.
if (active !== null && isOfPolicies()) ask(active.token).catch(() => undefined);
