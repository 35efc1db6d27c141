/** Verifies proof bundles without the instance that made them, in Node.js and in browsers. */
export { storyOf } from './report/story.js';
export type { Finding, Report, Topic } from './report/report.js';
export type { LinkedData } from './checks/context.js';
export { verifyBundle, type VerifyBundleOptions } from './verify-bundle.js';
export type { LogFiles } from './log/tiles.js';
export { verifyLog, type VerifyLogOptions } from './log/verify-log.js';
