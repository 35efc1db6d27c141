/** Reads the artifacts of an archive: files that blocks use, and the list that describes them. */
import { isObject, type ArtifactRecord } from '../../../records/index.js';
import type { Finding } from '../../model/policy-model.js';

/**
 * @param list the archive's `artifacts/metadata.json`: `[{name, uuid, extention}]` (sic).
 * @param files contents by uuid.
 */
export function readArtifacts(
  list: unknown,
  files: ReadonlyMap<string, Uint8Array>,
  findings: Finding[],
): ArtifactRecord[] {
  const report = (message: string): void => {
    findings.push({ severity: 'warning', code: 'FILE_IGNORED', message, path: '' });
  };
  if (list !== undefined && !Array.isArray(list)) report('artifacts/metadata.json is not a list; it is left out.');
  const described = new Map<string, Record<string, unknown>>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (isObject(entry) && typeof entry['uuid'] === 'string') described.set(entry['uuid'], entry);
    else report('An entry of artifacts/metadata.json has no uuid; it is left out.');
  }
  for (const id of described.keys()) {
    if (!files.has(id)) report(`The file artifacts/${id}, which artifacts/metadata.json names, is not in the archive.`);
  }
  return [...files].map(([id, content]) => {
    const description = described.get(id) ?? {};
    return {
      id,
      name: textOf(description['name'], id),
      extension: textOf(description['extention'] ?? description['extension'], ''),
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64'),
    };
  });
}

const textOf = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);
