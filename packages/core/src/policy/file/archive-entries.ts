/** Sorts the entries of a `.policy` archive by their kind (reference: "The .policy file"). */
import type { Finding } from '../model/finding.js';

export interface ArchiveEntries {
  readonly schemas: readonly string[];
  readonly tokens: readonly string[];
  /** The metadata of the artifacts: at most one name. */
  readonly artifactList: readonly string[];
  readonly artifacts: readonly { readonly name: string; readonly uuid: string }[];
}

/** Unknown entries are reported with one finding per top-level folder or file. */
export function sortEntries(names: readonly string[], findings: Finding[]): ArchiveEntries {
  const schemas: string[] = [];
  const tokens: string[] = [];
  const artifactList: string[] = [];
  const artifacts: { name: string; uuid: string }[] = [];
  const ignored = new Map<string, number>();
  for (const name of names) {
    if (name === 'policy.json') continue;
    else if (/^schem(a|e)s\/.+\.json$/.test(name)) schemas.push(name);
    else if (/^tokens\/.+\.json$/.test(name)) tokens.push(name);
    else if (name === 'artifacts/metadata.json') artifactList.push(name);
    else if (/^artifacts\/[^/]+$/.test(name)) artifacts.push({ name, uuid: name.slice('artifacts/'.length) });
    else {
      const slash = name.indexOf('/');
      const top = slash < 0 ? name : name.slice(0, slash + 1);
      ignored.set(top, (ignored.get(top) ?? 0) + 1);
    }
  }
  for (const [top, count] of ignored) {
    const what = top.endsWith('/') ? `${count} file${count === 1 ? '' : 's'} in ${top}` : top;
    findings.push({
      severity: 'warning',
      code: 'FILE_IGNORED',
      message: `This engine ignores ${what} in the archive.`,
      path: '',
    });
  }
  return { schemas, tokens, artifactList, artifacts };
}
