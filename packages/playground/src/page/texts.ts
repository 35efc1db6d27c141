/** What the page says. */
export const texts = {
  loading: 'Loading the engine…',
  running: 'The engine runs in this tab, and forgets everything when you reload.',
  failed: (reason: string): string => `The policy cannot be opened. ${reason}`,
  unreadable: 'The address holds no policy, and names no example.',
  noPolicy: 'Open a policy first.',
  tooLarge: 'This policy is too large for a link. Export it as a file instead.',
  copied: 'The link is on the clipboard. It holds the policy as it is now, without its documents.',
  notCopied: 'The browser does not allow the page to copy.',
};
