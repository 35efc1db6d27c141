/** Live events: what moved in the policies, told to those who may see it. */
export { EventHub, type EventLimits } from './event-hub.js';
export type { EventsQuery, GapEvent, OpenEvent, PolicyEvent, StatusEvent, UnitEvent } from './policy-event.js';
