import { describe, expect, it } from 'vitest';
import { isPrivate } from './private-address.js';

describe('private addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.88.99.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '[::1]',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
    'api.example.org',
  ])('%s is one, or no address at all', (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '100.128.0.1', '2606:4700::1111', '[2a00:1450::1]'])(
    '%s is none',
    (address) => {
      expect(isPrivate(address)).toBe(false);
    },
  );
});
