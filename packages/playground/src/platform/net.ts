/** `node:net` for a page, which never connects to an address itself. */

export const isIPv4 = (text: string): boolean => /^(\d{1,3}\.){3}\d{1,3}$/.test(text);

export const isIP = (text: string): 0 | 4 | 6 => (isIPv4(text) ? 4 : text.includes(':') ? 6 : 0);

/** Everything counts as private: a page calls no services. */
export class BlockList {
  addSubnet(): void {
    // Nothing is outside.
  }

  check(): boolean {
    return true;
  }
}
