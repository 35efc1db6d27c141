/** Parses the page, order and filters of a grid from the URL. */

export interface Sorting {
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
}

export interface GridState {
  /** From 0. */
  readonly page: number;
  readonly itemsPerPage: number;
  readonly sorting: Sorting | null;
  /** Values by the UUID of their filter; an empty one is no choice, also where the server has kept one. */
  readonly filters: Readonly<Record<string, string>>;
}

export const sizes = [10, 25, 50, 100] as const;
export const [usualSize] = sizes;

/** What the names of filters in an address begin with. */
export const FILTER = 'filter.';
const uuid = /^[0-9a-f-]{36}$/i;

/** Whatever an address says; what cannot be meant is passed over. */
export function gridStateIn(said: ReadonlyMap<string, string>): GridState {
  const page = said.get('page') ?? '';
  const size = sizes.find((each) => String(each) === said.get('size'));
  return {
    page: /^\d{1,9}$/.test(page) ? Number(page) : 0,
    itemsPerPage: size ?? usualSize,
    sorting: sortingIn(said.get('sort') ?? ''),
    filters: Object.fromEntries(
      [...said].flatMap(([name, value]) => {
        const filter = name.slice(FILTER.length);
        return name.startsWith(FILTER) && uuid.test(filter) ? [[filter, value]] : [];
      }),
    ),
  };
}

/** A path, behind `-` where the last come first. */
function sortingIn(text: string): Sorting | null {
  const sortField = text.replace(/^-/, '');
  if (sortField === '') return null;
  return { sortField, sortDirection: text.startsWith('-') ? 'desc' : 'asc' };
}
