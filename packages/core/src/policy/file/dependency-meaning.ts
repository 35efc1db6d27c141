/**
 * The meaning of `dependencies` in an archive: blocks that refresh this one or, if the archive says so, must complete
 * first.
 */

/** A member of `policy.json`. */
export const DEPENDENCIES_MEAN = 'dependenciesMean';
export const COMPLETION = 'completion';
