/** A table with column headings that scrolls horizontally when it is too wide. */
import type { ReactNode } from 'react';

interface TableProps {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The rows, as `tr`. */
  readonly children: ReactNode;
}

export const Table = ({ label, columns, children }: TableProps): ReactNode => (
  <div className="scroll" role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
