/** Whatever the documents, sources, filters and orders: the pages of a grid, one after another, are its whole list. */
import type { DocumentInput, Json } from '@blockwork/core';
import { paginationAddon } from '@blockwork/core/block';
import { blockBench, documents, type BlockBench, type BlockFragment, type BlockSession } from '@blockwork/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from '../../../test/support/repetitions.js';

const north = '10000000-0000-4000-8000-000000000001';
const south = '10000000-0000-4000-8000-000000000002';
/** One person in two groups, and another one in the first of them. */
const users = [
  { role: 'Installer', did: 'did:bench:ann', group: north },
  { role: 'Installer', did: 'did:bench:ann', group: south },
  { role: 'Installer', did: 'did:bench:bob', group: north },
] as const;
type User = (typeof users)[number];

type Option = Readonly<Partial<Record<'status' | 'n' | 'rank', Json>>>;
type Facts = Readonly<{ owner: string; group: string | null; minute: number; option: Option }>;
type Sorting = Readonly<{ path: string; direction: 'asc' | 'desc' }>;
type SourceFilter = Readonly<{ type: string; field: string; value: string | number }>;
type Source = Readonly<{
  own: boolean;
  ownByGroup: boolean;
  filters: readonly SourceFilter[];
  sorting: Sorting | null;
}>;
/** The one filter of the grid: under the grid itself, or under the source at this position. */
type Narrowing = Readonly<{ under: number | 'grid'; field: string }>;
/** How one user looks at the grid: by what is stored for them, or by what each query says. */
type Look = Readonly<{
  by: 'state' | 'query';
  sorting: Sorting | null;
  choice: string | number | null;
  pages: number;
  more: number;
}>;
type Scenario = Readonly<{
  facts: readonly Facts[];
  sources: readonly Source[];
  narrowing: Narrowing | null;
  looks: readonly Look[];
}>;

const mixed: Json[] = [null, false, true, -1, 0, 1.5, 9, 10, '', '10', '9', 'B', 'b', [1], ['a'], { a: 1 }];
const facts: fc.Arbitrary<Facts> = fc.record({
  owner: fc.constantFrom('did:bench:ann', 'did:bench:bob'),
  group: fc.constantFrom(north, south, null),
  minute: fc.nat({ max: 9 }),
  option: fc.record(
    {
      status: fc.constantFrom('A', 'B', 'C'),
      n: fc.constantFrom(1, '1', 2, '2', 3),
      rank: fc.constantFrom(...mixed),
    },
    { requiredKeys: [] },
  ),
});
const sorting: fc.Arbitrary<Sorting> = fc.record({
  path: fc.constantFrom('option.rank', 'option.rank', 'option.status', 'createDate', 'no.such.path'),
  direction: fc.constantFrom('asc', 'desc'),
});
const sourceFilter: fc.Arbitrary<SourceFilter> = fc.oneof(
  fc.record({
    type: fc.constantFrom('equal', 'not_equal', 'in', 'not_in'),
    field: fc.constant('option.status'),
    value: fc.constantFrom('A', 'A,C'),
  }),
  fc.record({
    type: fc.constantFrom('equal', 'not_equal', 'gt', 'gte', 'lt', 'lte'),
    field: fc.constant('option.n'),
    value: fc.constantFrom(1, 2),
  }),
);
const seldom = fc.integer({ min: 0, max: 4 }).map((number) => number === 4);
const source: fc.Arbitrary<Source> = fc.record({
  own: seldom,
  ownByGroup: seldom,
  filters: fc.array(sourceFilter, { maxLength: 2 }),
  sorting: fc.option(sorting),
});
const look: fc.Arbitrary<Look> = fc.record({
  by: fc.constantFrom('state', 'query'),
  sorting: fc.option(sorting),
  choice: fc.option(fc.constantFrom('A', 'Z', 1, '2')),
  pages: fc.integer({ min: 1, max: 5 }),
  more: fc.nat({ max: 2 }),
});
const scenario: fc.Arbitrary<Scenario> = fc.record({
  // A store looks at few documents in another way than at many.
  facts: fc.oneof(
    { weight: 4, arbitrary: fc.array(facts, { maxLength: 24 }) },
    { weight: 1, arbitrary: fc.array(facts, { minLength: 70, maxLength: 90 }) },
  ),
  sources: fc.array(source, { minLength: 1, maxLength: 3 }),
  narrowing: fc.option(
    fc.record({
      under: fc.constantFrom('grid' as const, 0),
      field: fc.constantFrom('option.status', 'option.n'),
    }),
  ),
  looks: fc.tuple(look, look, look),
});

/** The model: lists of document numbers, filtered and sorted as plainly as can be. */

const at = ({ option, minute }: Facts, path: string): Json | undefined => {
  if (path === 'createDate') return createDate(minute);
  return (option as Readonly<Record<string, Json>>)[path.slice('option.'.length)];
};
const createDate = (minute: number): string => `2026-01-01T00:0${String(minute)}:00.000Z`;

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function admits({ type, field, value }: SourceFilter, document: Facts): boolean {
  const fieldValue = at(document, field);
  const listed = String(value).split(',').includes(textOf(fieldValue));
  const above = typeof fieldValue === 'number' ? fieldValue - Number(value) : NaN;
  const outcomes: Record<string, boolean> = {
    equal: fieldValue === value,
    not_equal: fieldValue !== value,
    in: listed,
    not_in: !listed,
    gt: above > 0,
    gte: above >= 0,
    lt: above < 0,
    lte: above <= 0,
  };
  return outcomes[type]!;
}

const kindOf = (value: Json | undefined): number =>
  value === undefined || value === null ? 0 : 1 + ['boolean', 'number', 'string', 'object'].indexOf(typeof value);

function compare(a: Json | undefined, b: Json | undefined): number {
  if (kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
  if (kindOf(a) === 0) return 0;
  const [x, y] = typeof a === 'object' ? [JSON.stringify(a), JSON.stringify(b)] : [a as string, b as string];
  return x === y ? 0 : x < y ? -1 : 1;
}

function sorted(numbers: readonly number[], how: Sorting | null, all: readonly Facts[]): number[] {
  if (how === null) return [...numbers];
  const ascending = [...numbers].sort((a, b) => compare(at(all[a]!, how.path), at(all[b]!, how.path)) || a - b);
  return how.direction === 'asc' ? ascending : ascending.reverse();
}

/** What a user must see, in full: each document once, with the source that it belongs to. */
function wholeList({ facts: all, sources, narrowing }: Scenario, user: User, look: Look): string[] {
  const holds = (document: Facts): boolean =>
    narrowing === null || look.choice === null || textOf(at(document, narrowing.field)) === String(look.choice);
  // A choice that no document offers is no choice, unless a query insists on it.
  const chosen = look.by === 'query' || all.some(holds);
  const narrows = (position: number): boolean =>
    chosen && narrowing !== null && (narrowing.under === 'grid' || narrowing.under === position);

  const first = all.map((document) =>
    sources.findIndex(
      ({ own, ownByGroup, filters }, position) =>
        (!own || document.owner === user.did) &&
        (!ownByGroup || document.group === user.group) &&
        filters.every((filter) => admits(filter, document)) &&
        (!narrows(position) || holds(document)),
    ),
  );
  const belonging = (position: number): number[] => [...all.keys()].filter((number) => first[number] === position);
  const shown =
    look.sorting === null
      ? sources.flatMap(({ sorting: own }, position) => sorted(belonging(position), own, all))
      : sorted(
          [...all.keys()].filter((number) => first[number] !== -1),
          look.sorting,
          all,
        );
  return shown.map((number) => `${String(number)} of source-${String(first[number])}`);
}

/** The real thing. */

function benchOf({ facts: all, sources, narrowing }: Scenario): BlockBench {
  const filter: BlockFragment = {
    blockType: 'filtersAddon',
    tag: 'filter',
    field: narrowing?.field,
    optionName: narrowing?.field,
    optionValue: narrowing?.field,
    canBeEmpty: true,
    children: [{ blockType: 'documentsSourceAddon', tag: 'options', dataType: 'vc-documents' }],
  };
  const sourceBlocks = sources.map(({ own, ownByGroup, filters, sorting: how }, position): BlockFragment => ({
    blockType: 'documentsSourceAddon',
    tag: `source-${String(position)}`,
    dataType: 'vc-documents',
    onlyOwnDocuments: own,
    onlyOwnByGroupDocuments: ownByGroup,
    filters,
    orderField: how?.path,
    orderDirection: how?.direction,
    children: narrowing?.under === position ? [filter] : [],
  }));
  return blockBench(paginationAddon(), {
    parent: {
      blockType: 'interfaceDocumentsSourceBlock',
      tag: 'grid',
      uiMetaData: { enableSorting: true },
      children: [...sourceBlocks, ...(narrowing?.under === 'grid' ? [filter] : [])],
    },
    documents: documents(all.length, (number): Partial<DocumentInput> => {
      const { owner, group, option, minute } = all[number]!;
      return { owner, group, option, createDate: createDate(minute) };
    }),
  });
}

interface Reader {
  readonly expected: string[];
  readonly itemsPerPage: number;
  turnTo(page: number): Promise<void>;
  check(page: number): Promise<string[]>;
}

/** A user before the grid, who turns its pages and checks what each answer says of itself. */
function readerOf(session: BlockSession, scenario: Scenario, user: User, look: Look): Reader {
  const expected = wholeList(scenario, user, look);
  const itemsPerPage = Math.ceil(scenario.facts.length / look.pages) + look.more || 1;
  const total = expected.length;
  const queryAt = (page: number): Record<string, string> => ({
    page: String(page),
    itemsPerPage: String(itemsPerPage),
    ...(look.sorting && { sortField: look.sorting.path, sortDirection: look.sorting.direction }),
    ...(scenario.narrowing && look.choice !== null && { filter: String(look.choice) }),
  });
  return {
    expected,
    itemsPerPage,
    turnTo: async (page) => {
      if (look.by === 'query') return;
      await session.send({ page, itemsPerPage });
    },
    check: async (page) => {
      const query = look.by === 'query' ? queryAt(page) : {};
      expect(await session.read(query)).toEqual({ size: total, itemsPerPage, page });
      const answer = (await session.at('grid').read(query)) as {
        data: { __sourceTag__: string; document: { id: string } }[];
      };
      expect(answer).toMatchObject({
        page,
        pageSize: itemsPerPage,
        totalCount: total,
        hasPreviousPage: page > 0,
        hasNextPage: (page + 1) * itemsPerPage < total,
      });
      return answer.data.map((row) => `${String(parseInt(row.document.id.slice(-12), 16))} of ${row.__sourceTag__}`);
    },
  };
}

async function settle(session: BlockSession, { facts: all, narrowing }: Scenario, look: Look): Promise<void> {
  if (look.by === 'query') return;
  if (narrowing !== null) await choose(session, all, narrowing, look.choice);
  if (look.sorting !== null) {
    await session.at('grid').send({ orderField: look.sorting.path, orderDirection: look.sorting.direction });
  }
}

/** A choice that no document offers is refused, and nothing is chosen then. */
async function choose(
  session: BlockSession,
  all: readonly Facts[],
  { field }: Narrowing,
  choice: Look['choice'],
): Promise<void> {
  const sent = session.at('filter').send({ filterValue: choice });
  const isOffered = choice === null || all.some((document) => textOf(at(document, field)) === String(choice));
  if (isOffered) await sent;
  else await expect(sent).rejects.toMatchObject({ code: 'CHOICE_UNKNOWN' });
}

/** `npm run soak pages` looks at many more grids. */
const grids = times(20, 80, 5000);

test('the pages of every user make up their filtered, sorted list, each document once, and touch nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (scenario) => {
      const bench = benchOf(scenario);
      const readers: Reader[] = [];
      for (const [position, user] of users.entries()) {
        const look = scenario.looks[position]!;
        await settle(bench.as(user), scenario, look);
        readers.push(readerOf(bench.as(user), scenario, user, look));
      }
      const pagesOf = ({ expected, itemsPerPage }: Reader): number => Math.ceil(expected.length / itemsPerPage);
      const collected = readers.map((): string[] => []);
      // One page beyond the last of anybody: it is empty, and says how many there are all the same.
      for (let page = 0; page <= Math.max(...readers.map(pagesOf)); page += 1) {
        for (const reader of readers) await reader.turnTo(page);
        for (const [position, reader] of readers.entries()) {
          const rows = await reader.check(page);
          expect(rows).toHaveLength(
            Math.max(0, Math.min(reader.itemsPerPage, reader.expected.length - page * reader.itemsPerPage)),
          );
          collected[position]!.push(...rows);
        }
      }
      expect(collected).toEqual(readers.map(({ expected }) => expected));
      for (const [position, user] of users.entries()) {
        if (scenario.looks[position]!.by === 'query') {
          expect(await bench.as(user).read()).toMatchObject({ page: 0, itemsPerPage: 10 });
        }
      }
      await bench.close();
    }),
    { numRuns: grids },
  );
});
