/** The script of the page: a start page first; the engine and the console once there is a policy to open. */
import { people, registry, tokenOf } from '../people.js';
import { showConsole } from './console-scripts.js';
import { fetchFrom } from './engine-link.js';
import { LONGEST_LINK, toFragment, wantedBy } from './policy-link.js';
import { texts } from './texts.js';

const FIRST_EXAMPLE = '#example=sunlight';
/** What was opened last, to be opened again by a reload, in the session storage of the tab. */
const OPENED = 'blockwork-playground';
/** Any will do: the page signs in at itself. */
const CODE = '#code=playground';

const element = (id: string): HTMLElement => {
  const named = document.getElementById(id);
  if (named === null) throw new Error(`The page has no element ${id}.`);
  return named;
};

const api = new URL('api/v1/', document.baseURI).href;
const signIn = new URL('sign-in', document.baseURI).href;
const networkFetch = globalThis.fetch.bind(globalThis);

let worker: Worker | undefined;

function fetchHere(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { href } = new URL(input instanceof Request ? input.url : input, document.baseURI);
  if (href === signIn) return Promise.resolve(signedIn());
  if (!href.startsWith(api)) return networkFetch(input, init);
  worker ??= new Worker('engine.js', { type: 'module' });
  const request = new Request(input, init);
  return fetchFrom(worker, request, `/api/v1/${href.slice(api.length)}`);
}

/** Where the console goes once it is signed in. */
let target = '';

function signedIn(): Response {
  history.replaceState(null, '', target);
  return Response.json({ tokens: people.map(tokenOf) });
}

const asRegistry = { Authorization: `Bearer ${tokenOf(registry)}` };

/** Resolves to the id of the policy. Rejects with what is wrong with the file. */
async function importPolicy(file: BodyInit): Promise<string> {
  const headers = { ...asRegistry, 'Content-Type': 'application/octet-stream' };
  const answer = await fetchHere(`${api}policies/import/file`, { method: 'POST', headers, body: file });
  const said = (await answer.json()) as { readonly message?: string; readonly policy?: { readonly id: string } };
  if (said.policy === undefined) throw new Error(said.message ?? texts.unreadable);
  return said.policy.id;
}

async function fileOf(fragment: string): Promise<BodyInit> {
  const wanted = wantedBy(fragment);
  if (wanted?.kind === 'policy') return wanted.file;
  const example = wanted?.kind === 'example' ? await networkFetch(`examples/${wanted.name}.policy.json`) : undefined;
  if (example?.ok !== true) throw new Error(texts.unreadable);
  return example.arrayBuffer();
}

async function start(): Promise<void> {
  const { hash } = location;
  const isAddress = wantedBy(hash) === undefined;
  const opened = isAddress ? (sessionStorage.getItem(OPENED) ?? FIRST_EXAMPLE) : hash;
  document.body.dataset['state'] = 'loading';
  element('problem').textContent = '';
  say(texts.loading);
  try {
    globalThis.fetch = fetchHere;
    const id = await importPolicy(await fileOf(opened));
    sessionStorage.setItem(OPENED, opened);
    target = isAddress ? hash : `#/policies/${encodeURIComponent(id)}/page`;
    history.replaceState(null, '', CODE);
    await showConsole();
    document.body.dataset['state'] = 'running';
    say(texts.running);
  } catch (error) {
    document.body.dataset['state'] = 'idle';
    element('problem').textContent = texts.failed(error instanceof Error ? error.message : String(error));
  }
}

const say = (text: string): void => {
  element('said').textContent = text;
};

async function copyLink(): Promise<void> {
  const [, id] = /^#\/policies\/([^/?]+)/.exec(location.hash) ?? [];
  if (id === undefined) {
    say(texts.noPolicy);
    return;
  }
  const answer = await fetchHere(`${api}policies/${id}/export/file`, { headers: asRegistry });
  const link = `${location.href.replace(/#.*$/, '')}#policy=${toFragment(new Uint8Array(await answer.arrayBuffer()))}`;
  if (!answer.ok || link.length > LONGEST_LINK) {
    say(texts.tooLarge);
    return;
  }
  await navigator.clipboard.writeText(link);
  say(texts.copied);
}

function startOver(): void {
  sessionStorage.clear();
  location.replace(location.pathname);
}

element('copy').addEventListener('click', () => {
  copyLink().catch(() => {
    say(texts.notCopied);
  });
});
element('over').addEventListener('click', startOver);
window.addEventListener('hashchange', () => {
  // The engine of the page has one policy that was opened; another begins anew.
  if (wantedBy(location.hash) !== undefined && document.body.dataset['state'] !== 'idle') location.reload();
  else if (document.body.dataset['state'] === 'idle') begin();
});

function begin(): void {
  if (wantedBy(location.hash) !== undefined || location.hash.startsWith('#/')) void start();
}

document.body.dataset['state'] = 'idle';
begin();
