/** A grid in plain elements: its filters, a table with the buttons of each row, and its pages. */
import type { ReactNode } from 'react';
import {
  boundTags,
  cellText,
  columnFor,
  type ColumnGroup,
  type GridRow,
  isOffered,
  pressed,
  type RowButton,
} from '../rows.js';
import { openAnswer, useBlock } from '../hooks/use-block.js';
import { nextSorting, sortFieldOf } from '../hooks/grid-state.js';
import { useFilter } from '../hooks/use-filter.js';
import { type Grid, useGrid } from '../hooks/use-grid.js';
import { useSend } from '../hooks/use-send.js';
import type { Slot } from '../slot.js';
import { type BlockViewProps, Failure, usePolicyId } from './views.js';

export function GridView({ block }: BlockViewProps): ReactNode {
  const grid = useGrid(usePolicyId(), { uuid: block.id });
  const { title, columns, rows, page, pages, isLoading, error, goTo } = grid;
  if (isLoading) return <p role="status">Loading…</p>;
  return (
    <section className="blockwork-block">
      {title !== '' && <h2>{title}</h2>}
      <Failure error={error} />
      {grid.filters.map((slot) => (
        <FilterView key={slot.id} slot={slot} grid={grid} />
      ))}
      {rows.length === 0 ? (
        <p className="blockwork-empty">No documents.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <Header key={column.title} group={column} grid={grid} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {columns.map((column) => (
                  <td key={column.title}>
                    <Cell group={column} row={row} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {pages > 1 && (
        <nav aria-label="Pages">
          <button type="button" disabled={page === 0} onClick={() => goTo(page - 1)}>
            Previous
          </button>{' '}
          {page + 1} of {pages}{' '}
          <button type="button" disabled={page + 1 >= pages} onClick={() => goTo(page + 1)}>
            Next
          </button>
        </nav>
      )}
    </section>
  );
}

interface FilterViewProps {
  readonly slot: Slot;
  readonly grid: Grid;
}

function FilterView({ slot, grid }: FilterViewProps): ReactNode {
  const filter = useFilter(usePolicyId(), { uuid: slot.id }, grid.chosen[slot.id]);
  if (filter === undefined) return null;
  return (
    <label>
      {filter.label}{' '}
      <select value={filter.value} onChange={(event) => grid.filter(slot.id, event.target.value)}>
        {filter.options.map(({ name, value }) => (
          <option key={value} value={value}>
            {value === '' ? 'All' : name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface HeaderProps {
  readonly group: ColumnGroup;
  readonly grid: Grid;
}

const directions = { asc: 'ascending', desc: 'descending' } as const;
const arrows = { asc: '↑', desc: '↓' } as const;

function Header({ group, grid: { isSortable, sorting, sort } }: HeaderProps): ReactNode {
  const field = isSortable ? sortFieldOf(group) : undefined;
  if (field === undefined) return <th scope="col">{group.title}</th>;
  const direction = sorting?.sortField === field ? sorting.sortDirection : undefined;
  return (
    <th scope="col" aria-sort={direction === undefined ? 'none' : directions[direction]}>
      <button type="button" onClick={() => sort(nextSorting(sorting, field))}>
        {group.title} {direction !== undefined && <span aria-hidden="true">{arrows[direction]}</span>}
      </button>
    </th>
  );
}

function Cell({ group, row }: { readonly group: ColumnGroup; readonly row: GridRow }): ReactNode {
  const column = columnFor(group, row);
  if (column === undefined) return null;
  const tags = boundTags(column);
  if (tags.length === 0) return cellText(column, row);
  return tags.map((tag) => <Buttons key={tag} tag={tag} row={row} text={cellText(column, row)} />);
}

interface ButtonsProps {
  readonly tag: string;
  readonly row: GridRow;
  /** Shown where the buttons are closed to the person. */
  readonly text: string;
}

function Buttons({ tag, row, text }: ButtonsProps): ReactNode {
  const id = usePolicyId();
  const query = useBlock<Slot>(id, tag, {}, { retry: false });
  const send = useSend(id, tag);
  const answer = openAnswer(query);
  if (query.isPending) return null;
  if (answer?.blockType !== 'buttonBlock') return text;
  const { buttons = [] } = (answer.uiMetaData ?? {}) as { readonly buttons?: readonly RowButton[] };
  const press = (button: RowButton): void => {
    const comment =
      button.type === 'selector-dialog' ? globalThis.prompt(button.description ?? button.name) : undefined;
    if (comment !== null) send.mutate(pressed(button, row, comment));
  };
  return (
    <>
      {buttons
        .filter((button) => isOffered(button, row))
        .map((button) => (
          <button key={button.tag} type="button" disabled={send.isPending} onClick={() => press(button)}>
            {button.name}
          </button>
        ))}
      <Failure error={send.error} />
    </>
  );
}
