/** Tools included in an archive, in a folder that is specific to this engine and ignored by the reference. */
import { isObject, type ToolReference } from '../../records/index.js';
import type { Finding } from '../model/policy-model.js';
import { tryParseJson } from './json/parse-json.js';
import type { PolicyFileLimits } from './limits/limits.js';
import type { ZipArchive } from './zip/archive.js';

export const TOOL_FILES = 'tool-files/';
/** `[{messageId, hash, file}]`. */
export const TOOL_LIST = `${TOOL_FILES}metadata.json`;

/** A `.tool` file, with the message and hash by which policies refer to it. */
export interface CarriedTool {
  readonly reference: ToolReference;
  readonly file: Uint8Array;
}

/** Unusable entries of the list are findings. */
export function readToolFiles(archive: ZipArchive, limits: PolicyFileLimits, findings: Finding[]): CarriedTool[] {
  const written = archive.unpack(TOOL_LIST);
  if (written === undefined) return [];
  const { value } = tryParseJson(written, TOOL_LIST, limits);
  return (Array.isArray(value) ? (value as unknown[]) : [undefined]).flatMap((entry) => {
    const tool = isObject(entry) ? carriedTool(entry, archive) : undefined;
    if (tool !== undefined) return [tool];
    const message = `An entry of ${TOOL_LIST} names no tool of the archive; it is left out.`;
    findings.push({ severity: 'warning', code: 'FILE_IGNORED', message, path: '' });
    return [];
  });
}

function carriedTool(entry: Record<string, unknown>, archive: ZipArchive): CarriedTool | undefined {
  const { messageId, hash, file: name } = entry;
  const file = typeof name === 'string' && name.startsWith(TOOL_FILES) ? archive.unpack(name) : undefined;
  if (typeof messageId !== 'string' || typeof hash !== 'string' || file === undefined) return undefined;
  return { reference: { messageId, hash }, file };
}
