/** Routing in the fragment, as `#/operator?request=...`, which browsers never send to a server. */
import { useMemo, useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
  };
}

const partsNow = (): readonly string[] => window.location.hash.replace(/^#?\/?/, '').split('?');
const pathNow = (): string => `/${partsNow()[0] ?? ''}`;
const searchNow = (): string => partsNow().slice(1).join('?');

interface NavigateOptions {
  readonly replace?: boolean;
}

function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const address = new URL(window.location.href);
  const oldURL = address.href;
  address.hash = `/${to.replace(/^#?\/?/, '')}`;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address.href);
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: address.href }));
}

export const useHashPath = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, pathNow), navigate];
useHashPath.hrefs = (path: string): string => `#${path}`;
useHashPath.searchHook = (): string => useSyncExternalStore(subscribe, searchNow);

/**
 * A query parameter in the fragment, which survives reloads and can be shared; empty if absent. Changes replace the history
 * entry, so that going back leaves the screen. `forgets`: another parameter that a change removes, such as the number of
 * loaded pages.
 */
export function useAddressText(name: string, forgets?: string): [string, (text: string) => void] {
  const text = new URLSearchParams(useHashPath.searchHook()).get(name) ?? '';
  const change = (to: string): void => {
    const all = new URLSearchParams(searchNow());
    if (forgets !== undefined) all.delete(forgets);
    if (to === '') all.delete(name);
    else all.set(name, to);
    navigate(all.size === 0 ? pathNow() : `${pathNow()}?${all.toString()}`, { replace: true });
  };
  return [text, change];
}

/**
 * The query parameters with this prefix, by the rest of their names. A change adds a history entry; `null` removes a
 * parameter.
 */
export function useAddressTexts(
  prefix: string,
): [ReadonlyMap<string, string>, (changes: Readonly<Record<string, string | null>>) => void] {
  const search = useHashPath.searchHook();
  const texts = useMemo(() => {
    const own = [...new URLSearchParams(search)].filter(([name]) => name.startsWith(prefix));
    return new Map(own.map(([name, text]) => [name.slice(prefix.length), text]));
  }, [search, prefix]);
  const change = (changes: Readonly<Record<string, string | null>>): void => {
    const all = new URLSearchParams(searchNow());
    for (const [name, text] of Object.entries(changes))
      if (text === null) all.delete(prefix + name);
      else all.set(prefix + name, text);
    navigate(all.size === 0 ? pathNow() : `${pathNow()}?${all.toString()}`);
  };
  return [texts, change];
}

/** The path with the current query parameters. */
export const withSearch = (path: string): string => (searchNow() === '' ? path : `${path}?${searchNow()}`);

/** `withSearch` for links that must follow changes of the query parameters. */
export function useWithSearch(): typeof withSearch {
  useHashPath.searchHook();
  return withSearch;
}
