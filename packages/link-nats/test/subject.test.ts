import { expect, it } from 'vitest';
import { subjectOf } from '../src/open-nats-link.js';

it('every topic is one token of a subject, different from that of any other topic', () => {
  const topics = ['a', 'A', 'a.b', 'a%2Eb', 'a*', 'a>', '>', '*', 'a b', 'a\tb', 'a\nb', 'ü', '0.0.4812345', 'a/b'];
  const subjects = topics.map((topic) => subjectOf('blockwork', topic));
  expect(new Set(subjects).size).toBe(topics.length);
  for (const subject of subjects) expect(subject).toMatch(/^blockwork\.[\w%~!'()-]*$/);
});
