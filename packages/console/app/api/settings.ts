/** The settings that the server provides to the page: the prefix of the API, and the identity provider. */
import { texts } from '../texts.js';

/** An OpenID provider, of which this page is a public client. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource?: string;
}

export interface Settings {
  readonly prefix: string;
  readonly provider?: Provider;
}

/** The page is served at `console/` below the server's base path, which can be any path. */
export const serverUrl = (): string => new URL('..', document.baseURI).href.replace(/\/$/, '');

let request: Promise<Settings> | undefined;
let loaded: Settings | undefined;

/** The settings loaded last; `undefined` before the first load. */
export const settingsNow = (): Settings | undefined => loaded;

/** Cached; reloads after a failure, and with `isFresh`. */
export async function loadSettings({ isFresh = false } = {}): Promise<Settings> {
  if (isFresh) request = undefined;
  request ??= ask(isFresh);
  try {
    loaded = await request;
    return loaded;
  } catch (error) {
    request = undefined;
    throw error;
  }
}

async function ask(isFresh: boolean): Promise<Settings> {
  const answer = await fetch(new URL('settings.json', document.baseURI), isFresh ? { cache: 'reload' } : {});
  if (!answer.ok) throw new Error(texts.noSettings(answer.status));
  return (await answer.json()) as Settings;
}
