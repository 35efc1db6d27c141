/** Zoom levels of the picture. */

interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALLEST = 0.25;
export const LARGEST = 1.6;

/** Down to here, names in boxes are read without effort. */
const READABLE = 0.75;

/** All of it in the frame, if it can be that small; never larger than it is. A pixel is left, so that no bar appears for a fraction. */
export const fitting = (drawn: Size, frame: Size): number =>
  Math.max(SMALLEST, Math.min(1, (frame.width - 1) / drawn.width, (frame.height - 1) / drawn.height));

/** What nearly fits begins fitted; what is much larger begins readable, at its upper left. */
export function zoomAtFirst(drawn: Size, frame: Size): number {
  const zoom = fitting(drawn, frame);
  return zoom < READABLE ? 1 : zoom;
}
