/** Instructions printed by the demonstration: how to get a token, and requests to paste into a shell. */
import { relative } from 'node:path';
import { storyPolicy } from './demo-story.js';
import type { Demo } from './demo.js';
import type { Settings } from './settings.js';

/** `url` is the base URL of the routes. The commands work in the folder the server was started in. */
export function demoLines({ hasStory }: Demo, url: string, { data }: Pick<Settings, 'data'>): string {
  const token = (who: string): string => `npx blockwork token --as ${who}${dataOption(data)}`;
  const curl = (who: string, path: string, body = ''): string =>
    `curl -s '${url}${path}' -H "Authorization: Bearer $(${token(who)})"${body}`;
  return [
    hasStory
      ? '# A token; anna and ben report their production, vera verifies, carl has applied, the owner is the registry'
      : '# A token, for the owner or for any other name',
    token(hasStory ? 'anna' : 'owner'),
    ...(hasStory ? storyLines(curl) : otherLines(curl)),
    '# Requests from other instances to the registry',
    curl('owner', '/external-policies/requests'),
  ].join('\n');
}

type Curl = (who: string, path: string, body?: string) => string;

const storyLines = (curl: Curl): string[] => {
  const tag = `/policies/${storyPolicy}/tag`;
  const site = { document: { name: 'Orchard Roofs', technology: 'Solar', capacityKW: 95 }, ref: null };
  return [
    '# Anna applies for another site, and the registry lists pending applications',
    curl('anna', `${tag}/apply/blocks`, ` -H 'Content-Type: application/json' -d '${JSON.stringify(site)}'`),
    curl('owner', `${tag}/applications/blocks`),
  ];
};

const otherLines = (curl: Curl): string[] => ['# All policies', curl('owner', '/policies')];

/** The option is omitted if the data folder is the default one. */
function dataOption(data: string): string {
  const path = relative('', data);
  return path === '.blockwork' ? '' : ` --data '${path.startsWith('..') ? data : path}'`;
}
