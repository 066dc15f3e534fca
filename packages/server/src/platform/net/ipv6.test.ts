import { expect, test } from 'vitest'
import { ipv6Groups, lastIpv4 } from './ipv6.ts'

test.each([
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['1::', [1, 0, 0, 0, 0, 0, 0, 0]],
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['1:2:3::7:8', [1, 2, 3, 0, 0, 0, 7, 8]],
  ['::ffff:127.0.0.1', [0, 0, 0, 0, 0, 0xffff, 0x7f00, 1]],
  ['64:ff9b::a9fe:a9fe', [0x64, 0xff9b, 0, 0, 0, 0, 0xa9fe, 0xa9fe]],
  ['FE80::ABCD', [0xfe80, 0, 0, 0, 0, 0, 0, 0xabcd]],
  ['2001:0db8:0000:0000:0000:0000:0000:0001', [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]],
])('%s has the groups %j', (address, groups) => {
  expect(ipv6Groups(address)).toEqual(groups)
})

test.each(['', '1.2.3.4', 'fe80::1%eth0', ':::', '1:2:3', 'g::', '[::1]', 'localhost'])('%j has none', (address) => {
  expect(ipv6Groups(address)).toBeUndefined()
})

test('the last two groups as IPv4', () => {
  expect(lastIpv4([0, 0, 0, 0, 0, 0xffff, 0x7f00, 1])).toBe('127.0.0.1')
  expect(lastIpv4([0, 0, 0, 0, 0, 0, 0xffff, 0xfffe])).toBe('255.255.255.254')
})
