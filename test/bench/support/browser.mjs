/** A browser for benchmarks of the console, and what is measured inside its pages. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Frames come as fast as they can be made: the time between two is what one costs. */
const unpaced = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];

export async function openBrowser() {
  const candidates = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('There is no Chromium. Set CHROMIUM_PATH to one.');
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...unpaced] });
}

/** Programs that run in the page. */
export const inPage = {
  /** Begins before the page does: notes when the first rows are there. */
  noteContent: `new MutationObserver((_, observer) => {
    if (document.querySelector('tbody tr') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => (window.contentShownAt = performance.now()));
  }).observe(document, { childList: true, subtree: true })`,
  /** Milliseconds from the navigation until then. */
  contentShownAt: `new Promise((resolve) => {
    const look = () => (window.contentShownAt === undefined ? requestAnimationFrame(look) : resolve(window.contentShownAt));
    look();
  })`,
  firstPaint: `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
  /** Milliseconds of each frame, down the tree and up again by 90 pixels a frame. */
  framesOfScrolling: `new Promise((resolve) => {
    const tree = document.querySelector('[role=tree]');
    const frames = [];
    let last = performance.now();
    let step = 90;
    const next = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      const before = tree.scrollTop;
      tree.scrollTop += step;
      if (tree.scrollTop === before && step < 0) return resolve(frames.slice(2));
      if (tree.scrollTop === before) step = -step;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`,
  /** Milliseconds from a click on "Next" until other rows are painted. */
  timeOfNextPage: `new Promise((resolve) => {
    const cell = () => document.querySelector('.grid tbody td').textContent;
    const before = cell();
    const began = performance.now();
    const look = () => {
      if (cell() === before) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve(performance.now() - began));
    };
    [...document.querySelectorAll('.grid .pager button')].at(-1).click();
    look();
  })`,
};
