/** Maps a topic to a NATS subject, in which it is a single token. */

/** Percent-encoded, including the characters that separate tokens or are wildcards in NATS. */
export const subjectOf = (stream: string, topic: string): string =>
  `${stream}.${encodeURIComponent(topic).replace(/[.*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
