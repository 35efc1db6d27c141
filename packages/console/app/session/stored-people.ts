/** The people stored in the session storage of the tab. */

export interface Person {
  readonly token: string;
  readonly did: string;
  readonly name: string;
  readonly role: string;
  /** Milliseconds since 1970; `null` for a token without an expiry. */
  readonly expires: number | null;
  /** Whether the person signed in at the server's provider. */
  readonly isFromProvider: boolean;
}

export interface StoredPeople {
  readonly all: readonly Person[];
  readonly active: Person | null;
}

const KEY = 'blockwork-people';

export function storedPeople(): StoredPeople {
  try {
    const session = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { all?: Person[]; active?: string };
    const all = session.all ?? [];
    return { all, active: all.find(({ did }) => did === session.active) ?? all[0] ?? null };
  } catch {
    return { all: [], active: null };
  }
}

export function storePeople({ all, active }: StoredPeople): void {
  sessionStorage.setItem(KEY, JSON.stringify({ all, active: active?.did ?? null }));
}
