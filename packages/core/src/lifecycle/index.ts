/** The life of a policy: drafted, tried, published, discontinued. */
export { PolicyLifecycle, type StatusChange } from './policy-lifecycle.js';
