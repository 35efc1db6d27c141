/** Addresses of private networks and of this machine (IANA special-purpose address registries). */
import { BlockList, isIP } from 'node:net';

const ranges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  ranges.addSubnet(network, prefix, 'ipv4');
}
/** All but global unicast; within it, addresses that embed IPv4 addresses, and those for documentation. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  ranges.addSubnet(network, prefix, 'ipv6');
}

/** Without the brackets that `URL` puts around IPv6. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

export const isAddress = (host: string): boolean => isIP(bare(host)) !== 0;

/** Also true for a text that is not an address. */
export function isPrivate(host: string): boolean {
  const address = bare(host);
  switch (isIP(address)) {
    case 4:
      return ranges.check(address, 'ipv4');
    case 6:
      return !globalUnicast.check(address, 'ipv6') || ranges.check(address, 'ipv6');
    default:
      return true;
  }
}
