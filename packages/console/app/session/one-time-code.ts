/** Signs in with the one-time code that `npm start` prints: removed from the address at once, and sent once. */
import { actAs, addPerson, personOf } from './people.js';

const CODE = /^#code=([\w-]{1,200})$/;

/** Resolves with an error message for the user; `undefined` without a code, or after success. */
export async function signInByCode(refused: string): Promise<string | undefined> {
  // Pasting an address into this tab changes only the fragment, without a reload.
  window.addEventListener('hashchange', () => {
    if (CODE.test(window.location.hash)) window.location.reload();
  });
  const [, code] = CODE.exec(window.location.hash) ?? [];
  if (code === undefined) return undefined;
  window.history.replaceState(null, '', window.location.pathname);
  try {
    const answer = await fetch(new URL('sign-in', document.baseURI), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    if (!answer.ok) return refused;
    const { tokens } = (await answer.json()) as { readonly tokens: readonly string[] };
    const people = tokens.flatMap((token) => personOf(token) ?? []);
    for (const person of people) addPerson(person);
    if (people[0] !== undefined) actAs(people[0].did);
    return undefined;
  } catch {
    return refused;
  }
}
