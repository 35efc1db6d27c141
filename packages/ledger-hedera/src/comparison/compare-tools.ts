/** Compares the tools that were published for a policy with the transactions that published them, and names what else is in their topics. */
import { toolEffectId } from '../transactions/plan-tools.js';
import type { Book } from './book.js';
import type { Findings } from './findings.js';
import { foreignMessage, unknownMessage } from './message-differences.js';
import { all, compareSent, isOneOf, messagesIn, sentBy, type SharedFacts } from './shared-messages.js';

/** `tools`: their names. */
export async function compareTools(
  book: Book,
  tools: readonly string[],
  facts: SharedFacts,
  findings: Findings,
): Promise<void> {
  for (const name of tools) {
    const rows = await all(book.shared(toolEffectId(name)));
    const sent = sentBy(rows);
    await compareSent(sent, facts, findings);
    const topic = rows[0]?.outcome?.entity;
    if (topic === undefined) continue;
    findings.count('topics');
    for await (const message of messagesIn(topic, facts)) {
      if (isOneOf(sent, message)) continue;
      const remedy =
        "Another account sent it, which takes the topic's submit key: whoever reads the topic takes it for a message of the tool. If it was not meant, keep the operator's key from whoever has it, and tell readers which messages are yours.";
      const isForeign = message.payer !== facts.operatorAccount;
      findings.differ(
        isForeign
          ? foreignMessage(topic, message, { book: 'no such message of the tool', remedy })
          : unknownMessage(topic, message),
      );
    }
  }
}
