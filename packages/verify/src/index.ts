/** Verifies proof bundles without the instance that made them, in Node.js and in browsers. */
export { storyOf } from './report/story.js';
export type { Finding, Report, Topic } from './report/report.js';
export { verifyBundle } from './verify-bundle.js';
