/** The tool that publishes, which exists only where the command line allows it. */
import { z } from 'zod';
import { findingsFrom } from './findings.js';
import { policy } from './inputs.js';
import { changes, tool } from './tool.js';

export const publishPolicy = tool({
  name: 'publish_policy',
  title: 'Publish a policy',
  description:
    'Publishes a draft or a policy in a trial. This cannot be undone. A policy with errors is not published; they are listed instead.',
  input: z.strictObject({
    policy,
    version: z.string().min(1).max(50).describe('Above the previous one, such as "1.1.0".'),
  }),
  hints: { ...changes, destructiveHint: true, openWorldHint: true },
  run: ({ policy: name, version }, { workspace }) =>
    workspace.use(name, async ({ id, client }) => {
      const { policy: record, isValid, findings } = await client.policy(id).publish(version);
      return { isPublished: isValid, status: record.status, findings: findingsFrom(findings) };
    }),
});
