/** Trials: the data of a dry run, kept as savepoints and recorded as scenarios. */
export { Recorder, type RecorderDeps } from './recorder.js';
export { scenarioOf, type Scenario } from './scenario.js';
export { Savepoints, type SavepointsDeps, type SavepointLimits } from './savepoints.js';
export { TrialPeople, type TrialPeopleDeps } from './trial-people.js';
