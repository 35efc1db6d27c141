/** What `dependencies` mean in an archive: blocks that refresh this one, or, where the archive says so, that must complete first. */

/** A member of `policy.json`. */
export const DEPENDENCIES_MEAN = 'dependenciesMean';
export const COMPLETION = 'completion';
