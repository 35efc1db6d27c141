/** The life of a policy: drafted, tried, published, discontinued. */
export { PolicyDrafts } from './policy-drafts.js';
export { PolicyLifecycle, type StatusChange } from './policy-lifecycle.js';
export { TimerRestoration } from './timer-restoration.js';
export { PolicyVersions } from './policy-versions.js';
