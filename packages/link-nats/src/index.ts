/** `@blockwork/link-nats`: the link between instances, over NATS JetStream. */
export { openNatsLink } from './open-nats-link.js';
export type { NatsLinkOptions } from './options.js';
