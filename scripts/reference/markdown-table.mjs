/** A table of Markdown. */

/** Throws where a cell is empty: what a table does not say, its source does not say, or was not read. */
export function table(head, rows) {
  const empty = rows.find((cells) => cells.length !== head.length || cells.some((cell) => cell.trim() === ''));
  if (empty !== undefined) throw new Error(`A row of "${head.join(' | ')}" has an empty cell: ${empty.join(' | ')}`);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
