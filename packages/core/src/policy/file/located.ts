/** Findings with their places in the text that the policy was read from. */
import type { Finding } from '../model/policy-model.js';
import { placesIn, type Place } from './json/places.js';

/** The texts that a policy was read from. */
export interface PolicyText {
  /** Of the policy itself, if it is one of several files. */
  readonly file?: string;
  /** The text of a file; without a name, of the only one. `undefined` if there is none. */
  read(file: string | undefined): string | undefined;
  /** JSON pointer of the configuration, or of a part of it: a module is read as a part of a policy around it. */
  readonly config: { readonly pointer: string; readonly path: string };
}

/** Findings about what is in none of the texts stay as they are. */
export function located(findings: readonly Finding[], text: PolicyText | undefined): Finding[] {
  if (text === undefined) return [...findings];
  const aims = findings.map((finding) => aimOf(finding, text));
  const places = placesByFile(aims, text);
  return findings.map((finding, index) => {
    const aim = aims[index];
    const place = aim && places.get(aim.file)?.get(aim.pointer);
    if (aim === undefined || place === undefined) return finding;
    return { ...finding, ...(aim.file !== undefined && { file: aim.file }), ...place };
  });
}

interface Aim {
  readonly file: string | undefined;
  readonly pointer: string;
}

function aimOf({ file, pointer, path, block }: Finding, { file: own, config }: PolicyText): Aim | undefined {
  if (pointer !== undefined) return { file: file ?? own, pointer };
  if (block === undefined && path === '') return undefined;
  const isWithin = path === config.path || path.startsWith(`${config.path}/`);
  return isWithin ? { file: own, pointer: config.pointer + path.slice(config.path.length) } : undefined;
}

function placesByFile(
  aims: readonly (Aim | undefined)[],
  text: PolicyText,
): Map<string | undefined, ReadonlyMap<string, Place>> {
  const pointers = new Map<string | undefined, string[]>();
  for (const aim of aims) {
    if (aim === undefined) continue;
    const earlier = pointers.get(aim.file);
    if (earlier === undefined) pointers.set(aim.file, [aim.pointer]);
    else earlier.push(aim.pointer);
  }
  const places = new Map<string | undefined, ReadonlyMap<string, Place>>();
  for (const [file, wanted] of pointers) {
    const content = text.read(file);
    if (content !== undefined) places.set(file, placesIn(content, wanted));
  }
  return places;
}
