/** The rows that a player can act on at a site. */
import type { Json, JsonObject } from '@blockwork/core';
import { gridColumns, isObject, valueAt, type BlockNode } from '@blockwork/core/block';
import { meets, type Where } from '@blockwork/testing';
import { rowsIn, type PolicyWorld } from '../world/policy-world.js';
import type { Site } from '../sites.js';
import type { RowChoice } from '../move.js';
import type { MoveContext } from './move-context.js';

export interface OfferedRow {
  readonly row: JsonObject;
  readonly choice: RowChoice;
}

/** A row of one of the site's grids, the newest one more likely, and those that were acted on less. `isOffered`: whether a client offers the action for it. */
export async function offeredRow(
  ctx: MoveContext,
  isOffered: (row: JsonObject) => boolean = () => true,
): Promise<OfferedRow | null> {
  const offers: { readonly grid: BlockNode; readonly rows: JsonObject[]; readonly fitting: JsonObject[] }[] = [];
  for (const grid of ctx.site.grids) {
    const rows = rowsIn(await ctx.read(grid));
    const fitting = rows.filter((row) => opensFor(ctx.site, grid, row) && isOffered(row));
    for (const row of fitting) ctx.offered(row);
    if (fitting.length > 0) offers.push({ grid, rows, fitting });
  }
  const from = ctx.random.pick(offers);
  if (from === undefined) return null;
  const newest = from.fitting.at(-1);
  const row = ctx.random.weighted(from.fitting, (each) => (each === newest ? 3 : 1) / (1 + ctx.actedOn(each)) ** 2);
  if (row === undefined) return null;
  return { row, choice: { grid: from.grid.tag, where: telling(ctx.world, row, from.rows) } };
}

/** A column with a `bindGroup` is only for the rows of that source. */
function opensFor({ node }: Site, grid: BlockNode, row: JsonObject): boolean {
  const columns = gridColumns(grid).filter(
    ({ bindBlock, bindBlocks }) => bindBlock === node.tag || bindBlocks.includes(node.tag),
  );
  if (columns.length === 0) return true;
  return columns.some(({ source }) => source === null || source.tag === row['__sourceTag__']);
}

/**
 * A condition that identifies the row without ids and times, which differ between runs: its owner, its state, and as much
 * of its subject as necessary.
 */
function telling(world: PolicyWorld, row: JsonObject, rows: readonly JsonObject[]): Where {
  const owner = typeof row['owner'] === 'string' ? world.playerWith(row['owner']) : undefined;
  const where: Record<string, unknown> = {};
  const isAlone = (): boolean => rows.filter((each) => meets(each, where)).length === 1;
  if (owner !== undefined) where['owner'] = row['owner'];
  for (const path of ['type', 'option.status', ...scalarPaths(row)]) {
    if (isAlone()) break;
    const value = valueAt(row, path);
    if (value !== undefined) where[path] = value;
  }
  // The identity of a player is the same in every run, and is written as a reference in scripts.
  return where;
}

const SUBJECT = 'document.credentialSubject.0';
const ofServer: ReadonlySet<string> = new Set(['id', 'type', '@context', 'policyId', 'ref', 'date']);

function scalarPaths(row: JsonObject): string[] {
  const subject = valueAt(row, SUBJECT);
  if (!isObject(subject)) return [];
  const paths: string[] = [];
  const look = (value: Record<string, unknown>, path: string, depth: number): void => {
    for (const [name, member] of Object.entries(value)) {
      if (depth === 0 && ofServer.has(name)) continue;
      const isPlain = typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean';
      if (isPlain && !name.includes('.')) paths.push(`${path}.${name}`);
      if (isObject(member) && depth < 3) look(member, `${path}.${name}`, depth + 1);
    }
  };
  look(subject, SUBJECT, 0);
  return paths;
}

/** The row as a client posts it, with values that it sets. */
export const postedRow = (set: JsonObject = {}): Json =>
  Object.keys(set).length === 0 ? { $row: 'row' } : { $row: 'row', set };
