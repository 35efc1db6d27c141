/** Parses policy paths below the prefix. */

/** Routes that depend on the caller: blocks, tags, groups and navigation. */
const acting = /^\/policies\/([^/]+)\/(?:blocks|tag|groups|navigation)(?:\/.*)?$/;
const group = /^\/policies\/([^/]+)\/groups\/?$/;
const block = /^\/policies\/([^/]+)\/(?:blocks(?:\/([^/]+))?|tag\/([^/]+)\/blocks)\/?$/;

export interface BlockPath {
  readonly policyId: string;
  /** Id or tag; `undefined` for the root. */
  readonly block: string | undefined;
}

/** The policy in which a request acts; `undefined` for any other path. */
export const actsInPolicy = (path: string): string | undefined => decoded(acting.exec(path)?.[1]);

/** Whether a POST to the path chooses a group. */
export const isGroupChoice = (path: string): boolean => group.test(path);

/** The block that is read, or that data is sent to; `undefined` for any other path. */
export function blockPath(path: string): BlockPath | undefined {
  const match = block.exec(path);
  const policyId = decoded(match?.[1]);
  return policyId === undefined ? undefined : { policyId, block: decoded(match?.[2] ?? match?.[3]) };
}

/** Of requests that read from a policy or send to it; `block` is `undefined` for the root and for groups. */
export function policyPath(path: string): BlockPath | undefined {
  const policyId = decoded(group.exec(path)?.[1]);
  return policyId === undefined ? blockPath(path) : { policyId, block: undefined };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // The interface rejects the path.
    return undefined;
  }
}
