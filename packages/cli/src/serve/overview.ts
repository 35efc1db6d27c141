/** A short table of the server's policies. */
import { join } from 'node:path';
import type { PolicyEngine } from '@blockwork/core';
import { countFindings } from '../policies/finding-counts.js';
import type { LoadedPolicy } from './load-policies.js';
import type { Settings } from './settings.js';
import { findingLinesIn } from '../policies/finding-line.js';

/** As many as fit on a screen. */
const shown = 20;

export async function overview(
  engine: PolicyEngine,
  settings: Settings,
  loaded: readonly LoadedPolicy[],
): Promise<string> {
  const owner = { did: settings.owner, role: 'STANDARD_REGISTRY' };
  const { items, total } = await engine.listPolicies(owner, { limit: shown });
  const rows = [['POLICY', 'STATUS', 'BLOCKS', 'DOCUMENTS', 'FINDINGS', 'ID']];
  for (const { id, name, status } of items) {
    const { config } = await engine.getPolicy(owner, id);
    const { facts, findings: policyFindings } = loaded.find((policy) => policy.facts?.policyId === id) ?? {};
    const counts = policyFindings && countFindings(policyFindings);
    const findings = counts && `${counts.errors} errors, ${counts.warnings} warnings`;
    rows.push([
      name,
      status,
      String(blocksIn(config)),
      facts?.documents ? String(facts.documents) : '-',
      findings ?? '-',
      id,
    ]);
  }
  if (total > shown) rows.push([`and ${total - shown} more`]);
  const lines: string[] = [];
  for (const policy of loaded) lines.push(...(await linesOf(policy, settings.policies ?? '')));
  return [table(rows), ...lines].join('\n');
}

/** The findings counted in the table; long lists are truncated. */
async function linesOf({ file, findings = [] }: LoadedPolicy, folder: string): Promise<string[]> {
  if (findings.length === 0) return [];
  const lines = await findingLinesIn(join(folder, file), findings.slice(0, shown));
  if (findings.length > shown) lines.push(`  and ${findings.length - shown} more: GET .../findings`);
  return [`\nFindings in ${file}:`, ...lines];
}

function blocksIn(block: unknown): number {
  const { children } = block as { children?: readonly unknown[] };
  return 1 + (children ?? []).reduce<number>((sum, child) => sum + blocksIn(child), 0);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (sofar, row) => row.map((cell, at) => Math.max(cell.length, sofar[at] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
