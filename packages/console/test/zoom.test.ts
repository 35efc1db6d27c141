/** How large the picture of the blocks begins. */
import { describe, expect, it } from 'vitest';
import { fitting, zoomAtFirst } from '../app/policy/picture/zoom.js';

const frame = { width: 801, height: 601 };

describe('The picture of the blocks', () => {
  it('is as large as it is where it fits', () => {
    expect(zoomAtFirst({ width: 300, height: 200 }, frame)).toBe(1);
  });

  it.each([
    [{ width: 1000, height: 100 }, 0.8],
    [{ width: 100, height: 750 }, 0.8],
  ])('begins fitted where it nearly fits: %j', (drawn, zoom) => {
    expect(zoomAtFirst(drawn, frame)).toBeCloseTo(zoom);
  });

  it('begins readable where it is much larger, and fits on demand', () => {
    expect(zoomAtFirst({ width: 1600, height: 100 }, frame)).toBe(1);
    expect(fitting({ width: 1600, height: 100 }, frame)).toBeCloseTo(0.5);
    expect(fitting({ width: 100_000, height: 100 }, frame)).toBe(0.25);
  });
});
