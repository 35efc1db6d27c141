/** Subjects: how the name of any topic is written as one part of a NATS subject. */

/** Percent-encoded, with the characters that mean something in a subject. */
export const subjectOf = (stream: string, topic: string): string =>
  `${stream}.${encodeURIComponent(topic).replace(/[.*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
