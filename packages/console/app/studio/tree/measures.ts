/** Measures of the tree in pixels, as in the style sheet. */

export const ROW = 40;
const INDENT = 24;
const DEEPEST = 12;
const MARGIN = 12;
const BOX = 300;

/** The right edge of the box of a block. */
export const boxEdge = (depth: number): number => MARGIN + Math.min(depth, DEEPEST) * INDENT + BOX;

/** The class for a depth: deeper ones are not indented further. */
export const depthClass = (depth: number): string => `at-${String(Math.min(depth, DEEPEST))}`;
