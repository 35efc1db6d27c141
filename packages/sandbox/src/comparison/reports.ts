/** Reports of comparisons in the reference's format: rows for both sides, with rates in percent. */
import { isObject } from '@blockwork/core/records';
import { aligned, type Pair } from './aligned.js';
import { compareMembers, rateOf, type ComparedMember } from './similarity.js';

/** `FULL` equal, `PARTLY` alike, `LEFT` and `RIGHT` on one side only. */
export type RowType = 'FULL' | 'PARTLY' | 'LEFT' | 'RIGHT';

export interface ReportRow {
  /** The level in the tree, from 1. */
  readonly lvl: number;
  readonly type: RowType;
  readonly left: object | null;
  readonly right: object | null;
  readonly left_id: string | null;
  readonly right_id: string | null;
  readonly left_name: string | null;
  readonly right_name: string | null;
  /** In percent; -1 on one side only. */
  readonly total_rate: number;
  readonly properties: readonly ComparedMember[];
}

export interface Report {
  readonly columns: readonly object[];
  readonly report: readonly ReportRow[];
}

const columns = [
  { name: 'left_name', label: 'Name', type: 'string', display: 'Name' },
  { name: 'left_id', label: 'ID', type: 'string', display: 'ID' },
  { name: 'right_name', label: 'Name', type: 'string', display: 'Name' },
  { name: 'right_id', label: 'ID', type: 'string', display: 'ID' },
  { name: 'total_rate', label: 'Total Rate', type: 'number', display: 'Rate' },
] as const;

export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly content: object;
}

/** Members that only say where a thing is stored. */
const identity = new Set([
  'id',
  '_id',
  'uuid',
  'children',
  'createDate',
  'updateDate',
  'owner',
  'creator',
  'topicId',
  'policyId',
]);

export function rowOf({ left, right }: Pair<Thing>, lvl: number): ReportRow {
  const properties = left && right ? compareMembers(left.content, right.content, identity) : [];
  const rate = left && right ? rateOf(properties.map((each) => each.rate)) : -1;
  return {
    lvl,
    type: left === undefined ? 'RIGHT' : right === undefined ? 'LEFT' : rate === 100 ? 'FULL' : 'PARTLY',
    ...{ left: left?.content ?? null, right: right?.content ?? null },
    ...{ left_id: left?.id ?? null, right_id: right?.id ?? null },
    ...{ left_name: left?.name ?? null, right_name: right?.name ?? null },
    ...{ total_rate: rate, properties },
  };
}

/** Paired by their names, then by their content. */
export function reportOf(left: readonly Thing[], right: readonly Thing[]): Report {
  const keys = [({ id, name }: Thing) => JSON.stringify([id, name]), ({ name }: Thing) => name];
  return { columns, report: aligned(left, right, keys).map((pair) => rowOf(pair, 1)) };
}

export interface TreeNode extends Thing {
  readonly type: string;
  readonly children: readonly TreeNode[];
}

/** Level by level: children are compared with those of the block that their parent is paired with. */
export function treeReport(left: TreeNode | undefined, right: TreeNode | undefined): Report {
  const report: ReportRow[] = [];
  const add = (pair: Pair<TreeNode>, lvl: number): void => {
    const isOther = pair.left !== undefined && pair.right !== undefined && pair.left.type !== pair.right.type;
    if (isOther) {
      add({ left: pair.left, right: undefined }, lvl);
      add({ left: undefined, right: pair.right }, lvl);
      return;
    }
    const { left_name: _left, right_name: _right, ...row } = rowOf(pair, lvl);
    report.push({ ...row, left_name: nameOf(pair.left), right_name: nameOf(pair.right) });
    const keys = [({ type, name }: TreeNode) => JSON.stringify([type, name]), ({ type }: TreeNode) => type];
    for (const each of aligned(pair.left?.children ?? [], pair.right?.children ?? [], keys)) add(each, lvl + 1);
  };
  add({ left, right }, 1);
  return { columns, report };
}

const nameOf = (node: TreeNode | undefined): string | null =>
  node === undefined ? null : `${node.type} ${node.name}`.trim();

/** The blocks of a policy, module or tool as a tree; its levels are bounded by the limits of policy files. */
export function treeOf(block: unknown): TreeNode | undefined {
  if (!isObject(block)) return undefined;
  const { id, tag, blockType, children, ...content } = block;
  const below = Array.isArray(children) ? children.flatMap((child: unknown) => treeOf(child) ?? []) : [];
  return {
    id: textOf(id),
    name: textOf(tag),
    type: textOf(blockType),
    content: { tag, blockType, ...content },
    children: below,
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The mean over all rows: one that only one side has counts as 0. */
export const totalOf = (...reports: readonly Report[]): number =>
  rateOf(reports.flatMap(({ report }) => report.map(({ total_rate: rate }) => rate)));

/** As the reference's client saves it: a data URL of text. */
export function csvOf(
  title: string,
  sides: readonly [object, object],
  reports: Readonly<Record<string, Report>>,
  total: number,
): string {
  const lines: unknown[][] = [
    [title],
    ...sides.map((side): unknown[] => Object.values(side)),
    ['Total', `${String(total)}%`],
  ];
  for (const [name, { report }] of Object.entries(reports)) {
    lines.push([], [name], ['Level', 'Left', 'Left ID', 'Right', 'Right ID', 'Rate']);
    for (const row of report)
      lines.push([row.lvl, row.left_name, row.left_id, row.right_name, row.right_id, `${String(row.total_rate)}%`]);
  }
  return `data:text/csv;charset=utf-8,${lines.map((line) => line.map(cell).join(',')).join('\r\n')}`;
}

/** Spreadsheet programs take a text that begins like a formula for one. */
function cell(value: unknown): string {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return `"${(/^[=+\-@\t\r]/.test(text) && !/^-?\d+%?$/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
