import { describe, expect, test } from 'vitest'
import { createAddressPolicy } from './address-policy.ts'

const closed = createAddressPolicy([])

describe('public addresses are reachable', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s', (address) => {
    expect(closed.allows(address)).toBe(true)
  })
})

describe('everything else is not', () => {
  test.each([
    ['this network', ['0.0.0.0', '0.1.2.3', '0.255.255.255']],
    ['loopback', ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1']],
    ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255']],
    ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255']],
    ['link-local', ['169.254.0.0', '169.254.255.255', 'fe80::1', 'febf::1']],
    [
      'metadata services',
      ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'],
    ],
    ['protocol assignments', ['192.0.0.0', '192.0.0.255', '2001:1::1', '2001:20::1']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['benchmarking', ['198.18.0.0', '198.19.255.255', '2001:2::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['reserved and broadcast', ['240.0.0.1', '255.255.255.255', '255.255.255.254']],
    ['relays of the past', ['192.88.99.1', '192.52.193.1', '192.31.196.1', '192.175.48.1']],
    ['unspecified', ['::']],
    ['IPv4-compatible', ['::127.0.0.1', '::8.8.8.8', '::a00:1']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:7f00:1']],
    ['IPv4-translated', ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8']],
    [
      'NAT64',
      ['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::168.63.129.16', '64:ff9b:1::1', '64:ff9b:1::8.8.8.8'],
    ],
    ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1']],
    ['Teredo', ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['unique local', ['fc00::1', 'fd12:3456:789a::1', 'fdff:ffff::1']],
    ['site-local of the past', ['fec0::1']],
    ['discard-only', ['100::1']],
    ['segment routing', ['5f00::1']],
    ['unassigned', ['4000::1', '8000::1', 'e000::1']],
  ])('%s', (_, addresses) => {
    expect(addresses.filter((address) => closed.allows(address))).toEqual([])
  })

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '1.2.3',
    '1.2.3.4.5',
    ' 1.1.1.1',
    '[::1]',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '1.1.1.1/32',
  ])('a text that is not a plain address is refused: %j', (address) => {
    expect(closed.allows(address)).toBe(false)
  })
})

describe('the operator opens', () => {
  test('a range, and nothing beside it', () => {
    const policy = createAddressPolicy(['10.1.0.0/16'])
    expect(policy.allows('10.1.0.0')).toBe(true)
    expect(policy.allows('10.1.255.255')).toBe(true)
    expect(policy.allows('10.0.255.255')).toBe(false)
    expect(policy.allows('10.2.0.0')).toBe(false)
    expect(policy.allows('127.0.0.1')).toBe(false)
  })

  test('single addresses', () => {
    const policy = createAddressPolicy(['127.0.0.1', '::1', ' 192.168.1.5 '])
    expect(['127.0.0.1', '::1', '192.168.1.5'].every(policy.allows)).toBe(true)
    expect(policy.allows('127.0.0.2')).toBe(false)
  })

  test('IPv6 ranges', () => {
    const policy = createAddressPolicy(['fd00::/8'])
    expect(policy.allows('fd12::1')).toBe(true)
    expect(policy.allows('fc00::1')).toBe(false)
  })

  test('an IPv4 range in its IPv4-mapped form too, since that reaches the same host', () => {
    const policy = createAddressPolicy(['10.0.0.0/8'])
    expect(policy.allows('::ffff:10.1.2.3')).toBe(true)
    expect(policy.allows('::ffff:192.168.1.1')).toBe(false)
  })

  test('an IPv4 range, but not what NAT64, 6to4 or IPv4-compatible addresses make of it', () => {
    const policy = createAddressPolicy(['10.0.0.0/8'])
    expect(['64:ff9b::10.1.2.3', '2002:a01:203::1', '::10.1.2.3'].filter(policy.allows)).toEqual([])
  })

  test('everything, but not the metadata services', () => {
    const policy = createAddressPolicy(['0.0.0.0/0', '::/0'])
    expect(['127.0.0.1', '10.0.0.1', '::1', 'fe80::1', '255.255.255.255'].every(policy.allows)).toBe(true)
    const metadata = ['169.254.169.254', '::ffff:169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', '169.254.170.2']
    expect(metadata.filter(policy.allows)).toEqual([])
  })

  test('a metadata service by its very address only', () => {
    const policy = createAddressPolicy(['169.254.169.254', 'fd00:ec2::254/128'])
    expect(policy.allows('169.254.169.254')).toBe(true)
    expect(policy.allows('fd00:ec2::254')).toBe(true)
    expect(policy.allows('169.254.170.2')).toBe(false)
    expect(policy.allows('169.254.169.253')).toBe(false)
  })
})

test.each([
  '',
  'localhost',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0/8',
  'fe80::1%eth0',
  '10.0.0.0/8.5',
  '*',
])('the entry %j is refused with its name', (entry) => {
  expect(() => createAddressPolicy([entry])).toThrow(`${JSON.stringify(entry)} is neither an IP address nor a CIDR range`)
})
