/** What a path below the prefix says of a policy. */

/** Where a request acts as somebody: blocks, tags, groups and navigation. */
const acting = /^\/policies\/([^/]+)\/(?:blocks|tag|groups|navigation)(?:\/.*)?$/;
const block = /^\/policies\/([^/]+)\/(?:blocks(?:\/([^/]+))?|tag\/([^/]+)\/blocks)\/?$/;

export interface BlockPath {
  readonly policyId: string;
  /** Id or tag; `undefined` for the root. */
  readonly block: string | undefined;
}

/** The policy in which a request acts; `undefined` for any other path. */
export const actsInPolicy = (path: string): string | undefined => decoded(acting.exec(path)?.[1]);

/** The block that is read, or that data is sent to; `undefined` for any other path. */
export function blockPath(path: string): BlockPath | undefined {
  const found = block.exec(path);
  const policyId = decoded(found?.[1]);
  return policyId === undefined ? undefined : { policyId, block: decoded(found?.[2] ?? found?.[3]) };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // The interface refuses the path.
    return undefined;
  }
}
