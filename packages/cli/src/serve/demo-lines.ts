/** What is printed for people who try the server out: how to get a token, and requests to paste into a shell. */
import { relative } from 'node:path';
import { storyPolicy } from './demo-story.js';
import type { Demo } from './demo.js';
import type { Settings } from './settings.js';

/** `url` is where the routes begin. The lines work in the folder that the server was started in. */
export function demoLines({ hasStory }: Demo, url: string, { data }: Pick<Settings, 'data'>): string {
  const token = (who: string): string => `npx blockwork token --as ${who}${dataOption(data)}`;
  const curl = (who: string, path: string, body = ''): string =>
    `curl -s '${url}${path}' -H "Authorization: Bearer $(${token(who)})"${body}`;
  return [
    hasStory
      ? '# A token; anna and ben report what their site makes, vera verifies, carl has applied, the owner is the registry'
      : '# A token, for the owner or for anybody else by name',
    token(hasStory ? 'anna' : 'owner'),
    ...(hasStory ? storyLines(curl) : otherLines(curl)),
    '# What other instances ask of the registry',
    curl('owner', '/external-policies/requests'),
  ].join('\n');
}

type Curl = (who: string, path: string, body?: string) => string;

const storyLines = (curl: Curl): string[] => {
  const tag = `/policies/${storyPolicy}/tag`;
  const site = { document: { name: 'Orchard Roofs', technology: 'Solar', capacityKW: 95 }, ref: null };
  return [
    '# Anna applies for another site, and the registry sees who waits for its approval',
    curl('anna', `${tag}/apply/blocks`, ` -H 'Content-Type: application/json' -d '${JSON.stringify(site)}'`),
    curl('owner', `${tag}/applications/blocks`),
  ];
};

const otherLines = (curl: Curl): string[] => ['# All policies', curl('owner', '/policies')];

/** The command finds the data of the server by itself where that is where it looks. */
function dataOption(data: string): string {
  const path = relative('', data);
  return path === '.blockwork' ? '' : ` --data '${path.startsWith('..') ? data : path}'`;
}
