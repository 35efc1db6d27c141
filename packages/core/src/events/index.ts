/** Live events: what changed in the policies, delivered to those who may see it. */
export { EventHub, type EventLimits } from './event-hub.js';
export type { EventsQuery, GapEvent, OpenEvent, PolicyEvent, StatusEvent, UnitEvent } from './policy-event.js';
