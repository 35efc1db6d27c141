/** The programs that threads run. A separate file, so that a bundler or a test run can substitute other files. */
export const programs = {
  formula: new URL('../formulas/runner/formula-worker.js', import.meta.url),
  script: new URL('../scripts/script-worker.js', import.meta.url),
};
