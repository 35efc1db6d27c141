/** The report of a scenario: every expectation that failed. */

export interface ScenarioFailure {
  /** The step number in the script. */
  readonly step: number;
  readonly tag: string;
  /** The checked value: `count`, `has/data.option.status`, `world/vc/mint|-` ... */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export interface ScenarioReport {
  readonly steps: number;
  readonly failures: readonly ScenarioFailure[];
}

/** One line per failure. */
export const describeFailures = (scenario: string, { failures }: ScenarioReport): string =>
  failures
    .map(
      ({ step, tag, path, expected, got }) =>
        `${scenario}, step ${step}, ${tag}, ${path}: expected ${shown(expected)}, got ${shown(got)}`,
    )
    .join('\n');

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
