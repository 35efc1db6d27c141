/** A grid of documents; the server pages, sorts and filters it. */
import {
  type BlockViewProps,
  type ColumnGroup,
  type Grid as DocumentGrid,
  type GridState,
  nextSorting,
  type Slot,
  sortFieldOf,
  useFilter,
  useGrid,
  usePolicyId,
} from '@blockwork/react';
import { type ReactNode, useMemo } from 'react';
import { useAddressTexts } from '../../shell/hash-location.js';
import { texts } from '../../texts.js';
import { Loaded } from '../../ui/loaded.js';
import { GridCell } from './grid-cell.js';
import { gridStateIn, parametersOf, sizes } from './grid-state.js';
import { usualColumns } from './usual-columns.js';

export default function Grid({ block }: BlockViewProps): ReactNode {
  const state = useAddressState(block.id);
  const grid = useGrid(usePolicyId(), { uuid: block.id }, { state, usualColumns });
  return (
    <Loaded query={grid.query}>
      {() => (
        <section className="card grid in-order" aria-busy={grid.query.isFetching}>
          {grid.title !== '' && <h2>{grid.title}</h2>}
          <div className="filters">
            {grid.filters.map((slot) => (
              <Filter
                key={slot.id}
                block={slot}
                chosen={grid.chosen[slot.id]}
                onChoose={(value) => {
                  grid.filter(slot.id, value);
                }}
              />
            ))}
          </div>
          <Table grid={grid} />
          <Pager grid={grid} />
        </section>
      )}
    </Loaded>
  );
}

function Table({ grid }: { readonly grid: DocumentGrid }): ReactNode {
  const { title, columns, rows } = grid;
  if (rows.length === 0) return <p className="quiet">{texts.page.noRows}</p>;
  return (
    <div className="scroll" role="region" aria-label={title || texts.page.document} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((group) => (
              <Header key={group.title} group={group} grid={grid} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((group) => (
                <td key={group.title}>
                  <GridCell group={group} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps {
  readonly group: ColumnGroup;
  readonly grid: DocumentGrid;
}

function Header({ group, grid: { isSortable, sorting, sort } }: HeaderProps): ReactNode {
  const { title } = group;
  const field = isSortable ? sortFieldOf(group) : undefined;
  if (field === undefined) return <th scope="col">{title}</th>;
  const direction = sorting?.sortField === field ? sorting.sortDirection : null;
  const sorted = { asc: 'ascending', desc: 'descending' } as const;
  return (
    <th scope="col" aria-sort={direction === null ? 'none' : sorted[direction]}>
      <button
        type="button"
        className="link"
        onClick={() => {
          sort(nextSorting(sorting, field));
        }}
      >
        {title} {direction === null ? '' : direction === 'asc' ? '↑' : '↓'}
      </button>
    </th>
  );
}

function Pager({ grid }: { readonly grid: DocumentGrid }): ReactNode {
  const { page, pages, itemsPerPage, rows, total, goTo, resize } = grid;
  if (total === undefined) return rows.length === 0 ? null : <p className="quiet">{texts.page.rows(rows.length)}</p>;
  return (
    <div className="pager">
      <span className="quiet">{texts.page.rows(total)}</span>
      <label>
        <span className="quiet">{texts.page.pageSize}</span>{' '}
        <select
          value={itemsPerPage}
          onChange={(event) => {
            resize(Number(event.target.value));
          }}
        >
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <button
        type="button"
        disabled={page === 0}
        onClick={() => {
          goTo(page - 1);
        }}
      >
        {texts.page.previous}
      </button>
      <span aria-live="polite">{texts.page.pageOf(page + 1, pages)}</span>
      <button
        type="button"
        disabled={page + 1 >= pages}
        onClick={() => {
          goTo(page + 1);
        }}
      >
        {texts.page.next}
      </button>
    </div>
  );
}

/** Page, order and filters are part of the URL. */
function useAddressState(grid: string): [GridState, (next: GridState) => void] {
  const [addressTexts, change] = useAddressTexts(`${grid}.`);
  const state = useMemo(() => gridStateIn(addressTexts), [addressTexts]);
  return [
    state,
    (next) => {
      change(parametersOf(next));
    },
  ];
}

interface FilterProps {
  readonly block: Slot;
  /** Absent if nothing was chosen here; the server's value then applies. */
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
}

function Filter({ block, chosen, onChoose }: FilterProps): ReactNode {
  const filter = useFilter(usePolicyId(), { uuid: block.id }, chosen);
  if (filter === undefined) return null;
  return (
    <label>
      <span className="quiet">{filter.label}</span>{' '}
      <select
        value={filter.value}
        onChange={(event) => {
          onChoose(event.target.value);
        }}
      >
        {filter.options.map(({ name, value }) => (
          <option key={value} value={value}>
            {value === '' ? texts.page.all : name}
          </option>
        ))}
      </select>
    </label>
  );
}
