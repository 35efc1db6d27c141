/** Zoom levels of the picture. */

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALLEST = 0.25;
export const LARGEST = 1.6;

/** The smallest zoom at which block names are legible. */
const READABLE = 0.75;

/**
 * The zoom that fits the whole picture, within limits and never above 1. One pixel is spared, so that rounding shows no
 * scroll bar.
 */
export const fitting = (drawn: Size, frame: Size): number =>
  Math.max(SMALLEST, Math.min(1, (frame.width - 1) / drawn.width, (frame.height - 1) / drawn.height));

/** Fits the picture if it stays legible; otherwise starts at full size in the upper left corner. */
export function zoomAtFirst(drawn: Size, frame: Size): number {
  const zoom = fitting(drawn, frame);
  return zoom < READABLE ? 1 : zoom;
}
