/** The life of a policy: drafted, tried, published, discontinued. */
export { PolicyLifecycle, type LifecycleTools, type StatusChange } from './policy-lifecycle.js';
