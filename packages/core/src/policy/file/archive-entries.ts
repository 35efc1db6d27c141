/** Sorts the entries of a `.policy` archive by their kind (reference: "The .policy file"). */
import type { Finding } from '../model/finding.js';
import { TOOL_FILES } from './tool-files.js';

export interface ArchiveEntries {
  readonly schemas: readonly string[];
  readonly tokens: readonly string[];
  /** The metadata of the artifacts: at most one name. */
  readonly artifactList: readonly string[];
  readonly artifacts: readonly { readonly name: string; readonly uuid: string }[];
  /** Entries that belong to a policy but are not used by this engine. */
  readonly kept: readonly string[];
}

/** Excludes `proof.json`, which is a proof of the exact file that contains it. */
const keptFolders = /^(tools|tags|tests|formulas|systemSchemas|projectData|ipfs)\/./;

/** Unknown entries are reported with one finding per top-level folder or file. */
export function sortEntries(names: readonly string[], findings: Finding[]): ArchiveEntries {
  const schemas: string[] = [];
  const tokens: string[] = [];
  const artifactList: string[] = [];
  const artifacts: { name: string; uuid: string }[] = [];
  const kept: string[] = [];
  const ignored: string[] = [];
  for (const name of names) {
    if (name === 'policy.json' || name === 'module.json' || name.startsWith(TOOL_FILES)) continue;
    else if (/^schem(a|e)s\/.+\.json$/.test(name)) schemas.push(name);
    else if (/^tokens\/.+\.json$/.test(name)) tokens.push(name);
    else if (name === 'artifacts/metadata.json') artifactList.push(name);
    else if (/^artifacts\/[^/]+$/.test(name)) artifacts.push({ name, uuid: name.slice('artifacts/'.length) });
    else if (keptFolders.test(name)) kept.push(name);
    else ignored.push(name);
  }
  report(kept, (what) => `This engine keeps ${what} in the archive for exports, and makes no use of it.`, findings);
  report(ignored, (what) => `This engine ignores ${what} in the archive.`, findings);
  return { schemas, tokens, artifactList, artifacts, kept };
}

function report(names: readonly string[], messageFor: (what: string) => string, findings: Finding[]): void {
  const counts = new Map<string, number>();
  for (const name of names) {
    const top = name.slice(0, name.indexOf('/') + 1) || name;
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  for (const [top, count] of counts) {
    const what = top.endsWith('/') ? `${count} file${count === 1 ? '' : 's'} in ${top}` : top;
    findings.push({ severity: 'warning', code: 'FILE_IGNORED', message: messageFor(what), path: '' });
  }
}
